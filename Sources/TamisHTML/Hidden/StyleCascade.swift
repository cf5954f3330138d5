import TamisCore

extension HidingStyle {
  /// The declarations of a rule that count: the last of each property that browsers take.
  struct Declarations: Sendable {
    /// A declaration, and its place among those of the rule.
    struct One: Sendable {
      var property: Property
      var value: String
      var isImportant: Bool
      var place: Int
    }

    let list: [One]
    /// The values of custom properties.
    private let custom: [String: One]

    init(_ css: ArraySlice<UInt8>) {
      var reader = InlineStyle(css, of: Property.names, wantsCustom: true)
      var (list, custom, place): ([One], [String: One], Int) = ([], [:], 0)
      while let declaration = reader.next() {
        place += 1
        let property = declaration.number.map { Property.ofName[$0] }
        let one = One(
          property: property ?? .all, value: declaration.value, isImportant: declaration.isImportant, place: place)
        if let property {
          let earlier = list.firstIndex { $0.property == property }
          guard earlier.map({ !list[$0].isImportant }) ?? true || one.isImportant,
            HidingStyle.isValid(one.value, for: property)
          else { continue }
          if let earlier { list.remove(at: earlier) }
          list.append(one)
        } else if custom[declaration.name]?.isImportant != true || one.isImportant {
          custom[declaration.name] = one
        }
      }
      (self.list, self.custom) = (list, custom)
    }

    /// Returns the value of a custom property; nil for none.
    func value(of name: String) -> (value: String, isImportant: Bool)? {
      custom[name].map { ($0.value, $0.isImportant) }
    }
  }

  /// Returns the value that an element declares for a custom property; nil for none.
  static func value(
    of name: String, _ style: SheetStyles.Style?, of sheets: SheetStyles, inline: ArraySlice<UInt8>?
  ) -> String? {
    var best: (rank: Cascade.Rank, value: String)?
    func note(_ declarations: Declarations?, _ rank: Cascade.Rank) {
      guard let (value, isImportant) = declarations?.value(of: name) else { return }
      var rank = rank
      rank.isImportant = isImportant
      if best.map({ $0.rank < rank }) ?? true { best = (rank, value) }
    }
    for source in style?.sources ?? [] where source.standing == .applies {
      note(sheets.declarations[source.order], Cascade.Rank(source))
    }
    if let inline { note(Declarations(inline), .inline) }
    return best?.value
  }

  /// The declarations of an element that a browser takes, with what decides between them.
  struct Cascade {
    /// The rank of a declaration among those of its property: a greater one wins.
    struct Rank: Comparable {
      var isImportant: Bool
      var isInline: Bool
      var layer: Int32
      var specificity: Int32
      /// The number of elements up to the root of its scope, below zero: a nearer one wins.
      var nearness: Int32
      var order: Int32
      var place: Int

      static let inline = Rank(
        isImportant: false, isInline: true, layer: 0, specificity: 0, nearness: 0, order: 0, place: 0)

      init(
        isImportant: Bool, isInline: Bool, layer: Int32, specificity: Int32, nearness: Int32, order: Int32, place: Int
      ) {
        (self.isImportant, self.isInline, self.layer) = (isImportant, isInline, layer)
        (self.specificity, self.nearness, self.order, self.place) = (specificity, nearness, order, place)
      }

      init(_ source: SheetStyles.Source) {
        self.init(
          isImportant: false, isInline: false, layer: source.layer, specificity: source.specificity,
          nearness: -source.distance, order: source.order, place: 0)
      }

      /// Whether a rank is that of another layer, which loses against that of a declaration.
      func isBefore(_ other: Rank) -> Bool {
        self < other && (isImportant, isInline, layer) != (other.isImportant, other.isInline, other.layer)
      }

      static func < (left: Rank, right: Rank) -> Bool {
        if left.isImportant != right.isImportant { return right.isImportant }
        if left.isInline != right.isInline { return right.isInline }
        if left.layer != right.layer { return left.layer < right.layer }
        if left.specificity != right.specificity { return left.specificity < right.specificity }
        if left.nearness != right.nearness { return left.nearness < right.nearness }
        return (left.order, left.place) < (right.order, right.place)
      }
    }

    struct Declaration {
      var property: Property
      var value: String
      var rank: Rank
      var standing: SheetStyles.Standing
    }

    private var declarations: [Declaration] = []
    /// What the sheets of the page define; nil when there are none.
    private(set) var page: CustomProperties?
    private var local: [String: String]?

    /// The declarations in ascending order.
    var sorted: [Declaration] { declarations.sorted { $0.rank < $1.rank } }

    /// The number of layers, or 1 when no declaration goes back to another.
    var layerCount: Int {
      guard declarations.contains(where: { $0.value == "revert-layer" }) else { return 1 }
      return Set(declarations.map(\.rank.layer)).count + 1
    }

    init(inline: ArraySlice<UInt8>) { add(Declarations(inline), .inline, .applies) }

    init(
      _ style: SheetStyles.Style, of sheets: SheetStyles, inline: ArraySlice<UInt8>?, _ local: [String: String]?
    ) {
      (self.local, page) = (local, sheets.customProperties)
      for source in style.sources {
        guard let declarations = sheets.declarations[source.order] else { continue }
        add(declarations, Rank(source), source.standing)
      }
      if let inline { add(Declarations(inline), .inline, .applies) }
    }

    private mutating func add(_ rule: Declarations, _ rank: Rank, _ standing: SheetStyles.Standing) {
      for one in rule.list {
        var value = page?.resolved(one.value, local) ?? one.value
        // A value that turns out to be none does not let an earlier one stand (CSS Custom Properties, 3.1).
        if value != one.value, !HidingStyle.isValid(value, for: one.property) { value = "unset" }
        var own = rank
        (own.isImportant, own.place) = (one.isImportant, one.place)
        // The first layer wins among important declarations, and what is outside of layers comes last.
        if one.isImportant { own.layer = -rank.layer }
        declarations.append(Declaration(property: one.property, value: value, rank: own, standing: standing))
      }
    }
  }
}
