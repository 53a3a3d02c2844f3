/// A double with the digits that a measurement has: 15 significant ones, so that what conversion adds
/// behind them (`97.00000000000001`) is gone.
func decimalText(_ value: Double) -> String {
  guard value != 0, value.isFinite else { return "0" }
  var exponent = 0
  var scale = 1.0
  while abs(value) * scale < 1e13, exponent < 15 {
    let scaled = value * scale
    if scaled.rounded() == scaled { break }
    exponent += 1
    scale *= 10
  }
  let rounded = (value * scale).rounded() / scale
  let text = "\(rounded)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
