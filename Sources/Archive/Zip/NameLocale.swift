import CArchive

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A UTF-8 locale for the thread while libarchive reads names: in the C locale, in which a program
/// starts, it gives none that isn't ASCII.
@safe struct NameLocale: ~Copyable {
  private let locale: locale_t?

  init() {
    let name = unsafe newlocale(Int32(LC_CTYPE_MASK), "C.UTF-8", nil)
    unsafe locale = unsafe name ?? newlocale(Int32(LC_CTYPE_MASK), "en_US.UTF-8", nil)
  }

  deinit { if let locale = unsafe locale { unsafe freelocale(locale) } }

  func using<Value>(_ body: () -> Value) -> Value {
    guard let locale = unsafe locale else { return body() }
    let previous = unsafe uselocale(locale)
    defer { unsafe uselocale(previous) }
    return body()
  }
}
