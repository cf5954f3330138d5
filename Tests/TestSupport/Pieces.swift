extension Array where Element == UInt8 {
  /// The bytes in pieces of the given sizes, the last size again and again.
  public func cut(into sizes: [Int]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = self[...]
    var next = 0
    while !rest.isEmpty, next < sizes.count {
      pieces.append(Array(rest.prefix(sizes[next])))
      rest = rest.dropFirst(sizes[next])
      if next + 1 < sizes.count { next += 1 }
    }
    return pieces
  }
}
