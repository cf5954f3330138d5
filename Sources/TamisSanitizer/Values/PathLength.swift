import TamisCore

/// An upper bound of the length of a path (SVG 2, 9.3), by which the number of its dashes is bounded.
///
/// A curve is no longer than the lines between its control points, an arc no longer than its ellipse.
struct PathLength {
  private typealias Point = (x: Double, y: Double)

  /// The bound, in the units of the path; infinite when a number overflows.
  private(set) var length = 0.0
  private var current: Point = (0, 0)
  private var start: Point = (0, 0)
  /// The last control point, of which a smooth curve of the same degree uses the reflection.
  private var control: Point?
  private var isControlCubic = false

  /// Reads the data of a path up to the first error, as far as browsers draw it.
  init(path: some Collection<UInt8>) {
    var numbers = NumberScanner(Array(path))
    var command: UInt8?
    while true {
      if let next = numbers.letter() { command = next } else if numbers.isAtEnd { return }
      guard let letter = command, draw(letter, &numbers) else { return }
      // Further coordinates after a move are lines.
      if letter == UInt8(ascii: "M") { command = UInt8(ascii: "L") }
      if letter == UInt8(ascii: "m") { command = UInt8(ascii: "l") }
      if letter == UInt8(ascii: "Z") || letter == UInt8(ascii: "z") { command = nil }
    }
  }

  /// Reads the points of a polygon, or of a line between them.
  init(points: some Collection<UInt8>) {
    var numbers = NumberScanner(Array(points))
    var isFirst = true
    while let x = numbers.next(), let y = numbers.next() {
      if isFirst { (current, start, isFirst) = ((x, y), (x, y), false) } else { line(to: (x, y)) }
    }
    line(to: start)
  }

  /// Draws one segment; returns false when its numbers are missing.
  private mutating func draw(_ letter: UInt8, _ numbers: inout NumberScanner) -> Bool {
    let isRelative = letter >= 0x61
    let origin: Point = isRelative ? current : (0, 0)
    func point() -> Point? {
      guard let x = numbers.next(), let y = numbers.next() else { return nil }
      return (origin.x + x, origin.y + y)
    }
    let isCubic = letter.asciiLowercased == UInt8(ascii: "s")
    let reflection: Point =
      control.flatMap { isControlCubic == isCubic ? (2 * current.x - $0.x, 2 * current.y - $0.y) : nil } ?? current
    switch letter.asciiLowercased {
    case UInt8(ascii: "m"):
      guard let to = point() else { return false }
      (current, start, control) = (to, to, nil)
    case UInt8(ascii: "l"):
      guard let to = point() else { return false }
      line(to: to)
    case UInt8(ascii: "h"):
      guard let x = numbers.next() else { return false }
      line(to: (origin.x + x, current.y))
    case UInt8(ascii: "v"):
      guard let y = numbers.next() else { return false }
      line(to: (current.x, origin.y + y))
    case UInt8(ascii: "c"):
      guard let first = point(), let second = point(), let to = point() else { return false }
      curve([first, second, to])
    case UInt8(ascii: "s"):
      guard let second = point(), let to = point() else { return false }
      curve([reflection, second, to])
    case UInt8(ascii: "q"):
      guard let first = point(), let to = point() else { return false }
      curve([first, to])
    case UInt8(ascii: "t"):
      guard let to = point() else { return false }
      curve([reflection, to])
    case UInt8(ascii: "a"):
      guard let x = numbers.next(), let y = numbers.next(), numbers.next() != nil, numbers.flag(), numbers.flag(),
        let to = point()
      else { return false }
      arc(to: to, max(x.magnitude, y.magnitude), min(x.magnitude, y.magnitude))
    case UInt8(ascii: "z"): line(to: start)
    default: return false
    }
    return true
  }

  /// Adds an arc; radii that are too small for its ends are scaled up together (SVG 2, 9.5.1).
  private mutating func arc(to point: Point, _ longer: Double, _ shorter: Double) {
    let chord = distance(current, point)
    if shorter > 0 { length += 2 * Double.pi * longer * max(1, chord / shorter) }
    line(to: point)
  }

  private mutating func line(to point: Point) {
    length += distance(current, point)
    (current, control) = (point, nil)
  }

  private mutating func curve(_ points: [Point]) {
    for point in points {
      length += distance(current, point)
      current = point
    }
    (control, isControlCubic) = (points[points.count - 2], points.count == 3)
  }

  private func distance(_ one: Point, _ other: Point) -> Double {
    (one.x - other.x).magnitude + (one.y - other.y).magnitude
  }
}
