import Access
import Dispatch
import FHIRModel
import HTTP
import Kiln
import REST

extension Command {
  static let serve = Command(
    name: "serve", summary: "Serves a store over HTTP until Ctrl-C or SIGTERM.",
    options: [
      .store,
      .optional("--listen", "ADDRESS", "127.0.0.1:8080 (the default), [::1]:8080 or unix:PATH"),
      .optional("--tls-certificate", "FILE", "the certificate chain, PEM; SIGHUP reads it again"),
      .optional("--tls-key", "FILE", "its private key, PEM; SIGHUP reads it again"),
      .flag("--behind-proxy", "a proxy in front encrypts: listen on any address without TLS"),
      .optional("--base-url", "URL", "the address of FHIR's base as clients see it"),
      .optional(
        "--log-flush", "TIME", "hold log entries of reads for so long (50ms); off by default"),
      .optional("--body-limit", "BYTES", "the largest request body, 16 MiB by default"),
      .optional("--upload-limit", "BYTES", "the largest export that is uploaded, 8 GiB by default"),
      .optional("--connections", "COUNT", "the most connections at once, 8192 by default"),
      .optional("--connections-per-address", "COUNT", "the most from one address, 1024 by default"),
    ]
  ) { arguments in
    try serve(arguments) { _ in }
    return 0
  }

  /// Serves until a signal ends it.
  ///
  /// - Parameter whenReady: told the server's address, without a path, once it can be reached there.
  /// - Throws: `UsageError`, `CommandError`, and what stands in the way of opening or listening.
  static func serve(_ arguments: Arguments, whenReady: (String) -> Void) throws {
    let configuration = try serverConfiguration(arguments)
    try refuseExposure(of: configuration, arguments)
    var options = Assembly.Options()
    options.addresses = ownAddresses(arguments, configuration)
    let flushMilliseconds = try arguments.milliseconds("--log-flush") ?? 0
    if flushMilliseconds > 0 { options.logPolicy = .buffered }
    let assembly = try Assembly.open(try arguments.required("--store"), options)
    defer { assembly.close() }
    if assembly.wantsReindex {
      Output.notice(
        "this store was last served under another address: 'kiln reindex' sorts references by the "
          + "new one")
    }
    var serviceConfiguration = ServiceConfiguration(
      publicAddress: publicAddress(arguments, configuration), clock: Assembly.clock,
      report: { Output.error("\($0)") })
    let imports = DispatchQueue(label: "kiln.imports")
    serviceConfiguration.background = { work in imports.async(execute: work) }
    let spooling = DispatchQueue(label: "kiln.spooling")
    serviceConfiguration.spooling = { work in spooling.async(execute: work) }
    let folder = try arguments.required("--store")
    serviceConfiguration.importFolder = ImportFolder(ofStore: folder).path
    serviceConfiguration.shelf = { patient, caller in
      KeptSamples(of: patient, .appleHealth, in: assembly, by: caller).shelf
    }
    // Where the store is there is a disk.
    serviceConfiguration.temporaryFolder = folder
    let service = Service(guardedStore: assembly.guarded, configuration: serviceConfiguration)
    defer {
      service.stopImports()
      spooling.sync {}
      imports.sync {}
    }
    let server = try Server(configuration, handler: service)
    let flushing = flushing(assembly.guarded, everyMilliseconds: flushMilliseconds)
    defer { flushing?.cancel() }
    try server.heedSignals { fault in
      if let fault {
        Output.error("the certificate stays as it was: \(fault)")
      } else {
        Output.notice("the certificate was read again")
      }
    }
    let address = (configuration.tls == nil ? "http" : "https") + "://\(server.addresses[0])"
    service.resumeImports()
    whenReady(address)
    Output.notice("serving \(address)/fhir")
    try server.run()
  }

  /// Beyond loopback, tokens travel encrypted and links begin with an address that is configured: a
  /// `Host` header is something that anyone can send.
  ///
  /// - Throws: `UsageError` naming what is missing.
  private static func refuseExposure(
    of configuration: ServerConfiguration, _ arguments: Arguments
  ) throws {
    let address = configuration.addresses[0]
    let isBehindProxy = arguments.has("--behind-proxy")
    guard address.isLoopback || configuration.tls != nil || isBehindProxy else {
      throw UsageError(
        "serve: \(address) is no loopback address: give --tls-certificate and --tls-key, or "
          + "--behind-proxy if a proxy in front encrypts")
    }
    guard address.isLoopback && !isBehindProxy || arguments["--base-url"] != nil else {
      let reason = isBehindProxy ? "--behind-proxy" : "\(address), which is no loopback address,"
      throw UsageError("serve: \(reason) needs --base-url, the address that clients use")
    }
  }

  /// Writes the log entries that wait in memory at intervals; `nil` if none wait there.
  private static func flushing(
    _ guarded: GuardedStore, everyMilliseconds interval: Int
  ) -> (any DispatchSourceTimer)? {
    guard interval > 0 else { return nil }
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(
      deadline: .now() + .milliseconds(interval), repeating: .milliseconds(interval))
    timer.setEventHandler { guarded.flushLog() }
    timer.resume()
    return timer
  }

  /// What clients call this server: never what a header says that anyone can send.
  private static func publicAddress(
    _ arguments: Arguments, _ configuration: ServerConfiguration
  ) -> PublicAddress {
    if let url = arguments["--base-url"] { return .fixed(url) }
    let scheme = configuration.tls == nil ? "http" : "https"
    switch configuration.addresses[0] {
    case .ip: return .loopback(otherwise: "\(scheme)://\(configuration.addresses[0])/fhir")
    case .unix: return .loopback(otherwise: "http://localhost/fhir")
    }
  }

  /// Under which addresses references are this server's own: the configured one, else those by which
  /// this machine reaches where it listens. `nil`, as before, for a port that the system chooses.
  private static func ownAddresses(
    _ arguments: Arguments, _ configuration: ServerConfiguration
  ) -> OwnAddresses? {
    if let url = arguments["--base-url"] { return OwnAddresses([url]) }
    let scheme = configuration.tls == nil ? "http" : "https"
    switch configuration.addresses[0] {
    case .unix: return OwnAddresses(["http://localhost/fhir"])
    case .ip(_, 0): return nil
    case .ip(let host, let port):
      let hosts = [host, "127.0.0.1", "::1", "localhost"]
      let names = hosts.enumerated().filter { hosts.firstIndex(of: $1) == $0 }.map(\.element)
      return OwnAddresses(
        names.map { "\(scheme)://\($0.contains(":") ? "[\($0)]" : $0):\(port)/fhir" })
    }
  }

  private static func serverConfiguration(_ arguments: Arguments) throws -> ServerConfiguration {
    let text = arguments["--listen"] ?? "127.0.0.1:8080"
    guard let address = ListenAddress(parsing: text) else {
      throw UsageError("serve: '\(text)' is not HOST:PORT (numeric) or unix:PATH")
    }
    var configuration = ServerConfiguration(addresses: [address])
    switch (arguments["--tls-certificate"], arguments["--tls-key"]) {
    case (let certificate?, let key?):
      configuration.tls = TLSFiles(certificate: certificate, key: key)
    case (nil, nil): break
    default: throw UsageError("serve: --tls-certificate and --tls-key go together")
    }
    if let limit = try arguments.integer("--body-limit", in: 1...(1 << 30)) {
      configuration.bodyByteCountMaximum = limit
    }
    if let limit = try arguments.integer("--upload-limit", in: 1...(1 << 40)) {
      configuration.uploadByteCountMaximum = limit
      configuration.uploadsByteCountMaximum = max(configuration.uploadsByteCountMaximum, limit)
    }
    configuration.uploadFolder = try arguments.required("--store")
    if let limit = try arguments.integer("--connections", in: 1...1_000_000) {
      configuration.connections.countMaximum = limit
    }
    if let limit = try arguments.integer("--connections-per-address", in: 1...1_000_000) {
      configuration.connections.countPerAddressMaximum = limit
    }
    return configuration
  }
}
