@main
struct KilnCommand {
  static func main() {}
}
