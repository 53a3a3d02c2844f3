import FHIRModel

/// A resource that a hospital gave to a person's phone, as it goes into the person's record.
package struct ClinicalRecord: Sendable {
  /// What is known of where it comes from.
  package struct Provider: Hashable, Sendable {
    /// The resource's address at the hospital, or the address of its server; `nil` if unknown.
    package var url: String?
    package var name: String?
    /// The release of FHIR that the export says; `nil` if it says none.
    package var fhirVersion: String?
    /// The name of the file, which tells records apart where there is no URL.
    package var file: String?
    /// The day on which the phone received it.
    package var received: String?

    package init(
      url: String? = nil, name: String? = nil, fhirVersion: String? = nil, file: String? = nil,
      received: String? = nil
    ) {
      self.url = url
      self.name = name
      self.fhirVersion = fhirVersion
      self.file = file
      self.received = received
    }
  }

  /// Why a record was not taken.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String
  }

  /// A conditional update: the same record again changes nothing.
  package let interaction: Interaction
  /// The absolute URI of the hospital's server, for the Provenance.
  package let sourceSystem: String
  package let isConverted: Bool
  /// Its own date, of a time the end, as FHIR writes it; else the day on which the phone received it.
  /// `nil` if neither is known, or if it still lasts.
  package let lastDate: String?

  static let identifierSystem = "urn:kiln:clinical-record"

  /// Reads a resource in R4 or DSTU2.
  ///
  /// Its content stays as it is, but: the person is this store's, references to other things at the
  /// hospital become absolute ones, an identifier names where it came from, and a DSTU2 resource is
  /// converted.
  ///
  /// - Throws: what the person can be told about why it can't be taken.
  package init(
    parsing bytes: [UInt8], from provider: Provider, for patient: ResourceID
  ) throws(Refusal) {
    let original = try Self.tree(bytes)
    guard let sentType = original["resourceType"]?.text else {
      throw Refusal(reason: "it has no resourceType")
    }
    guard sentType != "Patient" else {
      throw Refusal(reason: "it is the hospital's Patient, and the person stands here already")
    }
    isConverted = try Self.isDSTU2(original, type: sentType, provider)
    var tree = isConverted ? DSTU2Conversion().converted(original) : original
    let source = RecordSource(provider, type: sentType, id: original["id"]?.text)
    tree = ReferenceRewriting(in: tree, of: source, patient: patient).rewritten(tree)
    let identifier = [patient.id.text, source.address].joined(separator: "/")
    tree.identify(system: Self.identifierSystem, value: identifier)
    tree.remove("id")
    var meta = tree["meta"] ?? .object([])
    if meta["source"] == nil { meta.set("source", to: .text(source.address)) }
    tree.set("meta", to: meta)
    lastDate = tree.hasClinicalDate ? tree.lastClinicalDate : provider.received
    interaction = try Self.interaction(tree, identifier: identifier)
    sourceSystem = source.server
  }

  private static func tree(_ bytes: [UInt8]) throws(Refusal) -> JSONTree {
    do {
      return JSONTree(try JSONDocument(parsing: bytes).root)
    } catch {
      let (line, column) = error.place(in: bytes)
      throw Refusal(reason: "line \(line), column \(column): \(error)")
    }
  }

  /// By what the export says, else by what only DSTU2 has.
  private static func isDSTU2(
    _ resource: JSONTree, type: String, _ provider: Provider
  ) throws(Refusal) -> Bool {
    if let version = provider.fhirVersion {
      if version.hasPrefix("1.") { return true }
      if version.hasPrefix("4.") { return false }
      throw Refusal(reason: "it is in FHIR \(version), and R4 and DSTU2 are understood")
    }
    guard let name = ResourceType(type) else { return true }
    if (try? Resource(parsing: resource.bytes, expecting: name)) != nil { return false }
    let conversion = DSTU2Conversion()
    return conversion.knows(type)
      && (try? Resource(parsing: conversion.converted(resource).bytes)) != nil
  }

  private static func interaction(
    _ tree: JSONTree, identifier: String
  ) throws(Refusal) -> Interaction {
    do {
      return try .conditional(tree.bytes, identifier: identifier, in: identifierSystem)
    } catch {
      throw Refusal(reason: "it is no valid resource of R4: \(error.reason)")
    }
  }

  /// A value as a search writes it.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/search.html#escaping
  static func searchText(_ value: String) -> String {
    guard value.utf8.contains(where: hasMeaning) else { return value }
    var text: [UInt8] = []
    for byte in value.utf8 {
      if hasMeaning(byte) { text.append(UInt8(ascii: "\\")) }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a byte separates values there, or takes another's meaning.
  private static func hasMeaning(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: "|"), UInt8(ascii: "$"): true
    default: false
    }
  }
}

extension JSONTree {
  /// Adds an identifier; one that stands alone becomes the first of a list.
  fileprivate mutating func identify(system: String, value: String) {
    let identifier: JSONTree = .object(["system": .text(system), "value": .text(value)])
    let others = self["identifier"].map { $0.elements.isEmpty ? [$0] : $0.elements } ?? []
    set("identifier", to: .array(others.filter { $0 != .array([]) } + [identifier]))
  }
}
