extension Finding {
  /// A location in an input: file, line and column.
  public struct Location: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The file as the user named it, or `-` for standard input.
    public var file: String
    /// The line, counted from 1; 0 when only the file is known.
    public var line: Int
    /// The column in UTF-8 bytes, counted from 1; 0 when only the line is known.
    public var column: Int

    /// Makes a location.
    public init(file: String, line: Int = 0, column: Int = 0) {
      self.file = file
      self.line = line
      self.column = column
    }

    /// `file`, `file:line` or `file:line:column`, as much as is known.
    public var description: String {
      if line == 0 { return file }
      return column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
    }
  }
}
