#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How many files and sockets the process may have open.
enum DescriptorLimit {
  /// Left to the store's files, the loops and the listeners.
  static let keptForOthers = 64

  /// Raises the limit as far as the system allows, and returns it.
  static func raised() -> Int {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
    let current = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    let isRaised = unsafe setrlimit(resource, &limit) == 0
    return Int(clamping: isRaised ? limit.rlim_max : current)
  }
}

/// The cores that are online.
func coreCount() -> Int {
  max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
