/// A qualified name in a document: its range, and where its prefix ends.
struct XMLQualifiedName {
  var whole: Range<Int>
  var colon: Int?

  var local: Range<Int> { (colon.map { $0 + 1 } ?? whole.lowerBound)..<whole.upperBound }
  var prefix: Range<Int> { whole.lowerBound..<(colon ?? whole.lowerBound) }
}
