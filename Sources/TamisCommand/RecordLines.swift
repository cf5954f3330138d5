import Tamis

/// Lines of JSON that are answered by lines of JSON, one for each, in order and as soon as nothing more can be read at once.
enum RecordLines {
  /// Answers each line but empty ones; false when one could not be read.
  ///
  /// - Parameters:
  ///   - names: the members that are wanted.
  ///   - read: takes what is asked out of a line.
  ///   - write: writes the members of the answer behind its id.
  static func answer<Question>(
    _ lines: LineReader, members names: Set<String>, read: (Record) throws(Record.Invalid) -> Question,
    write: (Question, inout JSONWriter) -> Void
  ) -> Bool {
    var output = JSONWriter()
    var isWhole = true
    while let line = lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      do throws(Record.Invalid) {
        let record = try Record(line.span, members: names)
        let question = try read(record)
        output.object { writer in
          record.id.write(to: &writer)
          write(question, &writer)
        }
      } catch {
        output.object { writer in
          error.id.write(to: &writer)
          writer.member("error", error.message)
        }
        isWhole = false
      }
      output.endLine()
      if output.bytes.count > 1 << 16 || !lines.hasBufferedLine {
        Terminal.write(output.bytes)
        output.removeAll()
      }
    }
    Terminal.write(output.bytes)
    if lines.hasFailed { Terminal.error("\(lines.path): error: reading failed before the end [read.failed]") }
    return isWhole && !lines.hasFailed
  }
}
