/// A name in a document: all of it, and where its prefix ends.
struct XMLQualifiedName {
  var whole: Range<Int>
  var colon: Int?

  var local: Range<Int> { (colon.map { $0 + 1 } ?? whole.lowerBound)..<whole.upperBound }
  var prefix: Range<Int> { whole.lowerBound..<(colon ?? whole.lowerBound) }
}
