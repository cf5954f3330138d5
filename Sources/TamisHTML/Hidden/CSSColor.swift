import TamisCore

/// A color of CSS in sRGB.
struct CSSColor: Equatable {
  /// The channels, from 0 to 255.
  private(set) var red: Double
  private(set) var green: Double
  private(set) var blue: Double
  /// The opacity, from 0 to 1.
  private(set) var alpha = 1.0

  /// Whether the color cannot be seen on any background.
  var isTransparent: Bool { alpha <= CSSColor.leastVisible }

  /// The largest opacity that shows nothing.
  static let leastVisible = 0.05

  /// Returns whether text of this color cannot be seen on a background of another.
  ///
  /// Each channel differs by too little for the eye.
  func isLost(on other: CSSColor) -> Bool {
    other.alpha > 0.95 && abs(red - other.red) <= 4 && abs(green - other.green) <= 4 && abs(blue - other.blue) <= 4
  }

  /// Reads a color in lower case (CSS Color Module Level 4, 4 to 7); nil for any other value.
  ///
  /// The known functions are `rgb`, `rgba`, `hsl` and `hsla`.
  init?(_ text: some StringProtocol) {
    // Most values that are asked about are words.
    guard let first = text.utf8.first else { return nil }
    if first == UInt8(ascii: "#") {
      self.init(hexadecimal: text.utf8.dropFirst())
    } else if !text.utf8.contains(UInt8(ascii: "(")) {
      self.init(named: text)
    } else {
      self.init(function: text)
    }
  }

  private init?(named name: some StringProtocol) {
    if name == "transparent" {
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
    } else {
      guard let value = Self.names.number(of: String(name)) else { return nil }
      self.init(red: Self.values[value].red, green: Self.values[value].green, blue: Self.values[value].blue)
    }
  }

  private init?(function text: some StringProtocol) {
    guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")), text.hasSuffix(")") else { return nil }
    let (name, arguments) = (String(text[..<open]), String(text[text.index(after: open)...].dropLast()))
    let value: CSSColor?
    switch name {
    case "light-dark": value = StyleValue.words(arguments).first.flatMap { CSSColor($0) }
    case "color-mix":
      // Two colors that are one have no other between them.
      let words = StyleValue.words(arguments)
      value = words.count == 4 && words[2] == words[3] ? CSSColor(words[2]) : nil
    default: value = CSSColor(function: name, arguments)
    }
    guard let value else { return nil }
    self = value
  }

  private init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Reads three, four, six or eight digits.
  private init?(hexadecimal digits: some Sequence<UInt8>) {
    var values: [Double] = []
    for digit in digits {
      guard let value = digit.hexDigitValue, values.count < 8 else { return nil }
      values.append(Double(value))
    }
    switch values.count {
    case 3, 4:
      self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
      if values.count == 4 { alpha = values[3] / 15 }
    case 6, 8:
      self.init(red: values[0] * 16 + values[1], green: values[2] * 16 + values[3], blue: values[4] * 16 + values[5])
      if values.count == 8 { alpha = (values[6] * 16 + values[7]) / 255 }
    default: return nil
    }
  }

  private init?(function name: String, _ arguments: String) {
    // Commas stand between all parts or none, and the slash between those that have no commas.
    let words = arguments.utf8.split { $0 == ASCII.space || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "/") }
    if arguments.utf8.contains(UInt8(ascii: ",")),
      arguments.utf8.contains(UInt8(ascii: "/"))
        || arguments.utf8.split(separator: UInt8(ascii: ",")).count != words.count
    {
      return nil
    }
    var (numbers, units): ([Double], [String]) = ([], [])
    for word in words {
      guard let (number, unit) = StyleValue.number(Substring(word)) else { return nil }
      numbers.append(number)
      units.append(unit)
    }
    guard numbers.count == 3 || numbers.count == 4, units.allSatisfy({ ["", "%", "deg"].contains($0) }) else {
      return nil
    }
    switch name {
    case "rgb", "rgba":
      let scale = units[0] == "%" ? 2.55 : 1
      self.init(red: numbers[0] * scale, green: numbers[1] * scale, blue: numbers[2] * scale)
    case "hsl", "hsla": self.init(hue: numbers[0], saturation: numbers[1] / 100, lightness: numbers[2] / 100)
    default: return nil
    }
    if numbers.count == 4 { alpha = units[3] == "%" ? numbers[3] / 100 : numbers[3] }
  }

  /// Converts as CSS Color Module Level 4, 7.1 does.
  private init(hue: Double, saturation: Double, lightness: Double) {
    func channel(_ offset: Double) -> Double {
      let place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      let position = place < 0 ? place + 12 : place
      let amount = saturation * min(lightness, 1 - lightness)
      return 255 * (lightness - amount * max(-1, min(position - 3, 9 - position, 1)))
    }
    self.init(red: channel(0), green: channel(8), blue: channel(4))
  }

  /// The named colors (CSS Color Module Level 4, 6.1).
  private static let (names, values): (NameIndex, [CSSColor]) = {
    var (names, values) = (NameIndex(), [CSSColor]())
    let words = table.split(separator: " ")
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      guard let value = CSSColor(hexadecimal: words[index + 1].utf8) else { continue }
      names.add(String(words[index]))
      values.append(value)
    }
    return (names, values)
  }()

  private static let table = """
    aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 \
    black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 \
    chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff \
    darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 \
    darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 \
    darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f \
    darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 \
    dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc \
    ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 \
    honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa \
    lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff \
    lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 \
    lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 \
    lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 \
    mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 \
    mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 \
    midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 \
    oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa \
    palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f \
    pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f \
    royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee \
    sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa \
    springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 \
    violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32 \
    canvas ffffff canvastext 000000
    """
}
