import TamisCore

/// What must hold for the places of findings.
enum Places {
  /// Returns the first finding whose place cannot be in a document; nil when there is none.
  ///
  /// Lines and columns are counted from 1; 0 is no place.
  static func fault(in findings: [Finding], of document: [UInt8]) -> String? {
    let most = document.count + 1
    let fault = findings.first { finding in
      let (line, column) = (finding.location.line, finding.location.column)
      return !(0...most).contains(line) || column < 0 || line == 0 && column > 0 || finding.message.isEmpty
    }
    return fault.map { "an impossible place: \($0)" }
  }
}
