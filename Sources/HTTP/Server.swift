import CSystem
import REST
import Synchronization

/// An HTTP/1.1 server: one thread that takes connections in, and event loops that serve them.
package final class Server: Sendable {
  /// Where it listens, with the ports that the system chose.
  package let addresses: [ListenAddress]

  private let loops: [Loop]
  private let acceptor: Acceptor

  /// Opens the sockets; clients can connect from now on, and are answered once `run` is called.
  ///
  /// - Throws: `SystemError` naming the address that can't be listened at, or `TLSError` naming the
  ///   file that can't be used.
  package init(_ configuration: ServerConfiguration, handler: any RequestHandler) throws {
    // Without this a client that goes away while it is written to would end the process.
    kiln_ignore_broken_pipes()
    let tls = try configuration.tls.map { try TLSKeeper($0) }
    let ledger = Ledger(
      configuration,
      descriptorCountMaximum: DescriptorLimit.raised() - DescriptorLimit.keptForOthers)
    let count = configuration.loopCount > 0 ? configuration.loopCount : coreCount()
    var loops: [Loop] = []
    for _ in 0..<count {
      loops.append(
        try Loop(configuration: configuration, handler: handler, ledger: ledger, tls: tls))
    }
    self.loops = loops
    acceptor = try Acceptor(configuration, loops: loops, ledger: ledger, tls: tls)
    addresses = acceptor.addresses
  }

  /// Serves until `shutdown` is called and the requests under way are answered, or their deadline has
  /// passed. It returns once; a server isn't run again.
  ///
  /// - Throws: `SystemError` if the system has no threads for it.
  package func run() throws {
    var threads: [Thread] = []
    defer {
      for loop in loops { loop.drain() }
      for thread in threads { thread.join() }
    }
    for loop in loops { threads.append(try Thread { loop.run() }) }
    acceptor.run()
  }

  /// Takes no more connections in, finishes the requests under way and lets `run` return. From any
  /// thread, also before `run`.
  package func shutdown() {
    acceptor.stop()
  }

  /// Makes the first SIGTERM or SIGINT call `shutdown`; the second ends the process. With TLS, each
  /// SIGHUP reads the certificate and its key again, for the connections that come. Called once.
  ///
  /// - Parameter whenReloaded: told after each SIGHUP what is wrong with the files, in which case the
  ///   old ones stay; `nil` if nothing is.
  /// - Throws: `SystemError` if no pipe can be had.
  package func heedSignals(
    whenReloaded: @escaping @Sendable (TLSError?) -> Void = { _ in }
  ) throws(SystemError) {
    try acceptor.heedSignals(whenReloaded)
  }
}
