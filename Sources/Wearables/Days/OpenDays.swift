/// The days of one metric that more samples may still belong to.
///
/// Samples come by rising start, so only a few days are open at a time however long the stream is.
struct OpenDays {
  /// Rising.
  private var days: [(number: Int, tally: DayTally)] = []

  /// The tally of a day, for a change.
  mutating func with<Result>(_ number: Int, _ body: (inout DayTally) -> Result) -> Result {
    let position = position(of: number)
    return body(&days[position].tally)
  }

  private mutating func position(of number: Int) -> Int {
    if let last = days.last, last.number == number { return days.count - 1 }
    var place = 0
    var end = days.count
    while place < end {
      let middle = (place + end) / 2
      if days[middle].number < number { place = middle + 1 } else { end = middle }
    }
    if place == days.count || days[place].number != number {
      days.insert((number, DayTally()), at: place)
    }
    return place
  }

  /// Takes out the days before `number`, in order.
  mutating func close(before number: Int, _ body: (Int, DayTally) throws -> Void) rethrows {
    guard let first = days.first, first.number < number else { return }
    let closed = days.prefix { $0.number < number }
    for day in closed { try body(day.number, day.tally) }
    days.removeFirst(closed.count)
  }
}
