/// How a server listens, and what it lets one client take.
package struct ServerConfiguration: Sendable {
  package var addresses: [ListenAddress]
  /// Encrypts the connections to IP addresses; those to Unix-domain sockets stay as they are.
  package var tls: TLSFiles?
  /// The mode of the file of a Unix-domain socket.
  package var socketPermissions: UInt16 = 0o600
  /// Event loops, each on a thread of its own; 0 for one per core.
  package var loopCount = 0
  package var head = HeadLimits()
  package var bodyByteCountMaximum = 16 * 1024 * 1024
  /// Of all bodies together that are being received, beyond the first 64 KiB of each.
  package var bodiesByteCountMaximum = 512 * 1024 * 1024
  /// Of a body that goes into a file.
  package var uploadByteCountMaximum = 8 << 30
  /// Of all such bodies together, until what was made of them is done.
  package var uploadsByteCountMaximum = 32 << 30
  /// Where those files are made; a disk and not memory.
  package var uploadFolder = "/var/tmp"
  package var connections = ConnectionLimits()
  package var deadlines = Deadlines()

  package init(addresses: [ListenAddress], tls: TLSFiles? = nil) {
    self.addresses = addresses
    self.tls = tls
  }
}

/// The paths of a certificate chain and its private key, both PEM.
package struct TLSFiles: Hashable, Sendable {
  package var certificate: String
  package var key: String

  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}

/// How many connections are kept, and how much waits on one of them.
package struct ConnectionLimits: Sendable {
  package var countMaximum = 8192
  /// From one IPv4 address, or one /64 network of IPv6.
  package var countPerAddressMaximum = 1024
  /// Pipelined requests whose answers aren't sent yet, after which no more are read.
  package var waitingRequestCountMaximum = 64
  /// Bytes of answers that the client hasn't taken yet, after which no more requests are read.
  package var waitingByteCountMaximum = 1024 * 1024

  package init() {}
}

/// How long each phase of a connection may last.
package struct Deadlines: Sendable {
  package var handshakeSeconds = 10.0
  /// From a request's first byte to the end of its head.
  package var headSeconds = 10.0
  /// A body is looked at whenever so much time has passed, and must have come at the rate below.
  package var bodyWindowSeconds = 10.0
  package var bodyBytesPerSecondMinimum = 512.0
  /// Without a request under way.
  package var idleSeconds = 60.0
  /// Without the client taking a byte of an answer that waits for it.
  package var writeStallSeconds = 30.0
  /// For the other side to close after the last answer.
  package var lingerSeconds = 2.0
  /// For the requests under way when the server shuts down.
  package var drainSeconds = 20.0

  package init() {}
}
