import Foundation

/// Scripts by which wrk sends requests that differ from each other.
struct LuaScript {
  let text: String

  /// GETs of the paths, one after the other. They are written out before the load begins, so that
  /// wrk spends as little on one as on another.
  static func reading(_ paths: [String]) -> LuaScript {
    LuaScript(
      text: """
        local paths = {\(paths.map(quoted).joined(separator: ","))}
        local requests, n = {}, 0
        init = function(arguments)
          for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path) end
        end
        request = function()
          n = n % #requests + 1
          return requests[n]
        end
        """)
  }

  /// A resource whose value is written anew each time: what stands before and after the number.
  struct Update {
    let path: String
    let before: String
    let after: String
  }

  /// PUTs that give each resource a value that it hasn't had before.
  static func updating(_ updates: [Update]) -> LuaScript {
    let rows = updates.map { "{\(quoted($0.path)),\(quoted($0.before)),\(quoted($0.after))}" }
    return LuaScript(
      text: """
        local updates = {\(rows.joined(separator: ","))}
        local n = math.floor(os.time() % 100000) * 1000
        request = function()
          n = n + 1
          local update = updates[n % #updates + 1]
          wrk.headers["Content-Type"] = "application/fhir+json"
          return wrk.format("PUT", update[1], nil, update[2] .. "61." .. n .. update[3])
        end
        """)
  }

  /// Lends the script as a file.
  func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "kiln-bench-\(UUID().uuidString).lua").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
