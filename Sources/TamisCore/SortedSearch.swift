extension Array {
  /// Returns the index of the first element that satisfies a condition which all later ones satisfy too, by binary
  /// search; the number of elements when there is none.
  @inlinable package func partitionPoint(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
