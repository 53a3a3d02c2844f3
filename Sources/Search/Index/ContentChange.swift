import FHIRModel

/// Which search parameters see that one version of a resource says something else than another: most
/// changes leave most of a resource as it was, and what stayed needs no second look.
package struct ContentChange: Sendable {
  private let parameters: TypeParameters
  /// By the units' positions. A unit is touched as a whole: several members may have given it the
  /// same value.
  private var touched: [Bool]

  /// Compares two contents of one type.
  package init(from old: Resource, to new: Resource) {
    let parameters = ParameterTable.shared[new.type]
    var touched = [Bool](repeating: false, count: parameters.units.count)
    new.forEachMember(changedSince: old) { member in
      for route in parameters.routes[member.hash] ?? [] where member.hasName(route.name) {
        touched[route.unit] = true
      }
    }
    self.parameters = parameters
    self.touched = touched
  }

  /// Whether a parameter may have other values now.
  package func touches(_ parameter: String) -> Bool {
    guard let parts = parameters.parameters[parameter]?.parts else { return false }
    return parts.contains { touches($0.unit) }
  }

  func touches(_ unit: Int) -> Bool { touched[unit] }

  func touches(_ series: SeriesLayout) -> Bool {
    touchesHead(of: series) || touches(series.date)
  }

  /// Whether its keys may begin otherwise now.
  func touchesHead(of series: SeriesLayout) -> Bool {
    touches(series.subject) || touches(series.code)
  }

  /// What no single path leads to is always looked at.
  private func touches(_ unit: Unit) -> Bool {
    let position = Int(unit.number) - 1
    return touched[position] || parameters.unrouted.contains(position)
  }
}
