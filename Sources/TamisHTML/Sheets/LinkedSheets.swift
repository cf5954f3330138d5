/// Style sheets that pages link to, as far as they are at hand.
package struct LinkedSheets: Sendable {
  /// The maximum size in bytes of all sheets; those beyond it are left out.
  package static let mostBytes = 32 << 20

  private var byAddress: [String: [UInt8]] = [:]
  private var size = 0

  /// Makes a value without any.
  package init() {}

  /// Adds a sheet; of several of one address the last one counts.
  ///
  /// - Parameters:
  ///   - sheet: the text of the sheet in UTF-8.
  ///   - address: the absolute URL of the sheet, without a fragment.
  package mutating func add(_ sheet: [UInt8], at address: String) {
    guard size + sheet.count <= Self.mostBytes else { return }
    size += sheet.count
    if let old = byAddress.updateValue(sheet, forKey: address) { size -= old.count }
  }

  /// Adds the sheets of another collection.
  package mutating func add(_ other: LinkedSheets) {
    for (address, sheet) in other.byAddress.sorted(by: { $0.key < $1.key }) { add(sheet, at: address) }
  }

  /// Returns the sheet of an address; nil when it is not at hand.
  package func sheet(at address: String) -> [UInt8]? { byAddress[address] }

  /// The addresses and the sheets, in the order of the addresses.
  package var all: [[UInt8]] {
    byAddress.sorted { $0.key < $1.key }.flatMap { [Array($0.key.utf8) + [0], $0.value + [0]] }
  }

  /// Whether there is none.
  package var isEmpty: Bool { byAddress.isEmpty }

  /// A function that finds the sheet of a `link` by its address and by that of the page's `base`; nil for a sheet that
  /// is not at hand.
  package typealias Finder = @Sendable (_ href: String, _ base: String?) -> [UInt8]?
}
