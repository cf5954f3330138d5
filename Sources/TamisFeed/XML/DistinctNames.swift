import TamisCore

/// The names of a document that are reported, each of which is kept to its end.
struct DistinctNames {
  private let most: Int
  /// A name of each hash, which finds nearly all without a copy; the others are in ``others``.
  private var first: [UInt64: [UInt8]] = [:]
  private var others: Set<[UInt8]> = []

  init(_ limits: Limits) { most = limits.names }

  /// Whether a name is among the first ones up to the limit.
  mutating func admits(_ name: ArraySlice<UInt8>) -> Bool {
    let hash = name.reduce(NameHash.empty) { NameHash.adding($1, to: $0) }
    if let known = first[hash] {
      if known.elementsEqual(name) || others.contains(Array(name)) { return true }
    }
    guard first.count + others.count < most else { return false }
    if first[hash] == nil { first[hash] = Array(name) } else { others.insert(Array(name)) }
    return true
  }
}
