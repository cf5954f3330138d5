package import TamisCore
import Yams

/// Reads a YAML document (1.1, as libyaml does) into a tree whose size is bounded by that of the document.
///
/// Aliases are refused, since a few lines of them can expand to more than fits into memory.
package enum YAMLDocument {
  /// The largest document in bytes (16 MiB).
  package static let maximumBytes = 16 << 20
  /// The maximum nesting depth.
  package static let maximumDepth = 64

  /// Returns the root of a document; nil when it is empty, or cannot be read, in which case the findings say why.
  ///
  /// - Parameters:
  ///   - bytes: the document.
  ///   - file: the name of the file in findings.
  ///   - code: the code of the findings.
  ///   - findings: receives the findings.
  /// - Returns: the root node; nil when there is none.
  package static func read(_ bytes: [UInt8], file: String, code: String, into findings: inout [Finding]) -> YAMLNode? {
    func refuse(_ message: String, _ line: Int, _ column: Int) {
      findings.append(Finding(.error, code, message, at: Finding.Location(file: file, line: line, column: column)))
    }
    guard bytes.count <= maximumBytes else {
      refuse("this file has more than the \(maximumBytes) bytes that are read", 0, 0)
      return nil
    }
    if let (message, line, column) = objection(to: bytes) {
      refuse(message, line, column)
      return nil
    }
    let bytes = Array(bytes.withoutByteOrderMark)
    if let index = AliasSearch.firstAlias(in: bytes) {
      let (line, column) = position(of: index, in: bytes)
      refuse("aliases (*name) are not read; write out what it stands for", line, column)
      return nil
    }
    do {
      guard let root = try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self), .basic) else { return nil }
      var conversion = Conversion(file: file, columns: ByteColumns(bytes))
      let node = conversion.node(root, depth: 1)
      if let (message, location) = conversion.objection {
        refuse(message, location.line, location.column)
        return nil
      }
      return node
    } catch {
      var columns = ByteColumns(bytes)
      let (message, mark) = words(for: error, in: bytes, &columns)
      refuse(message, mark?.line ?? 0, mark.map { columns.column(line: $0.line, scalars: $0.column) } ?? 0)
      return nil
    }
  }

  // MARK: - Errors

  /// Returns the reason why bytes are not text, and its line and column; nil when they are text.
  private static func objection(to bytes: [UInt8]) -> (String, Int, Int)? {
    func at(_ offset: Int, _ message: String) -> (String, Int, Int) {
      let (line, column) = position(of: offset, in: bytes)
      return (message, line, column)
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return ("this file is in UTF-16; save it as UTF-8", 1, 1)
    }
    for (offset, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x7F {
      if ![0x09, 0x0A, 0x0D].contains(byte) { return at(offset, "a control character; is this a text file?") }
    }
    return UTF8Sequence.firstFault(bytes.span).map { at($0, "this is not UTF-8; save the file as UTF-8") }
  }

  private static func words(for error: any Error, in bytes: [UInt8], _ columns: inout ByteColumns) -> (String, Mark?) {
    guard let error = error as? YamlError else { return ("\(error)", nil) }
    switch error {
    case .duplicatedKeysInMapping(let names, let context):
      return ("'\(names.first ?? "")' is given twice; remove one", context.mark)
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      let offset = columns.offset(line: mark.line, scalars: mark.column)
      if offset < bytes.count, bytes[offset] == 0x09 {
        return ("a tab; YAML is indented with spaces", mark)
      }
      return ("this is not YAML: \(problem)", mark)
    case .reader: return ("a character stands here that no text has, such as a control character", nil)
    default: return ("this is not YAML", nil)
    }
  }

  /// Returns the line and column of a byte, both from 1.
  private static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (before.count { $0 == 0x0A } + 1, offset - start + 1)
  }

  // MARK: - The tree

  private struct Conversion {
    let file: String
    var columns: ByteColumns
    var objection: (message: String, location: Finding.Location)?

    /// Converts a node; nodes are converted in the order of the document.
    mutating func node(_ node: Node, depth: Int) -> YAMLNode {
      let location = location(node.mark)
      guard depth <= maximumDepth else {
        objection = objection ?? ("this is nested more than \(maximumDepth) levels deep", location)
        return YAMLNode(content: .sequence([]), location: location)
      }
      switch node {
      case .scalar(let scalar):
        return YAMLNode(content: .scalar(scalar.string.streamSafe, isPlain: scalar.style == .plain), location: location)
      case .sequence(let items):
        return YAMLNode(content: .sequence(items.map { self.node($0, depth: depth + 1) }), location: location)
      case .mapping(let pairs):
        let content = pairs.map { key, value in
          let location = self.location(key.mark)
          if key.scalar == nil { objection = objection ?? ("a name is expected here, not a list", location) }
          let name = YAMLKey(text: key.scalar?.string.streamSafe ?? "", location: location)
          return (key: name, value: self.node(value, depth: depth + 1))
        }
        return YAMLNode(content: .mapping(content), location: location)
      case .alias: return YAMLNode(content: .scalar("", isPlain: true), location: location)
      }
    }

    private mutating func location(_ mark: Mark?) -> Finding.Location {
      guard let mark else { return Finding.Location(file: file) }
      return Finding.Location(
        file: file, line: mark.line, column: columns.column(line: mark.line, scalars: mark.column))
    }
  }
}
