/// A hash table of the handler's numbers for names, by the addresses at which libxml2's dictionary keeps them.
///
/// A lookup usually costs one probe, and the handler is asked once for each distinct name. Addresses are only keys;
/// nothing is read through them.
struct NameTable {
  private var keys: [Key]
  private var values: [Int]
  private(set) var count = 0

  /// The key of a name: for XML its local name, prefix and namespace, for HTML only the name.
  struct Key: Equatable {
    var name: UInt
    var prefix: UInt = 0
    var namespace: UInt = 0

    var hash: Int {
      // Addresses are aligned and close together; the multiplication spreads them (Fibonacci hashing).
      let mixed = (name ^ (namespace << 1) ^ (prefix << 2)) &* 0x9E37_79B9_7F4A_7C15
      return Int(truncatingIfNeeded: mixed >> 32)
    }
  }

  init() {
    keys = Array(repeating: Key(name: 0), count: 256)
    values = Array(repeating: 0, count: 256)
  }

  /// Returns the number for a key, which `resolve` provides the first time.
  mutating func value(for key: Key, resolve: () -> Int) -> Int {
    var slot = key.hash & (keys.count - 1)
    while keys[slot].name != 0 {
      if keys[slot] == key { return values[slot] }
      slot = (slot + 1) & (keys.count - 1)
    }
    let value = resolve()
    insert(key, value)
    return value
  }

  private mutating func insert(_ key: Key, _ value: Int) {
    if count * 2 >= keys.count { grow() }
    var slot = key.hash & (keys.count - 1)
    while keys[slot].name != 0 { slot = (slot + 1) & (keys.count - 1) }
    keys[slot] = key
    values[slot] = value
    count += 1
  }

  private mutating func grow() {
    let old = (keys, values)
    keys = Array(repeating: Key(name: 0), count: old.0.count * 2)
    values = Array(repeating: 0, count: old.0.count * 2)
    count = 0
    for (key, value) in zip(old.0, old.1) where key.name != 0 { insert(key, value) }
  }
}
