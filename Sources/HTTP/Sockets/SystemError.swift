#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A system call that failed, on what, and why.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  package let call: String
  package let code: Int32

  package init(_ call: String, code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  package var description: String {
    guard let text = unsafe strerror(code) else { return "\(call): error \(code)" }
    return unsafe "\(call): \(String(cString: text))"
  }
}
