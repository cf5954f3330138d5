/// Reads the sanitizer's output by its grammar alone, without a parser that repairs: every `<` begins a tag, every value is
/// in double quotes.
struct MarkupScan {
  struct Tag {
    var name: String
    var attributes: [String]
  }

  private(set) var tags: [Tag] = []
  private(set) var isBalanced = true

  init(_ markup: String) {
    var open: [String] = []
    var rest = Substring(markup)
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      var name = String(rest.prefix { !" >".contains($0) })
      rest = rest.dropFirst(name.count)
      if name.hasPrefix("/") {
        name.removeFirst()
        if open.popLast() != name { isBalanced = false }
        continue
      }
      var tag = Tag(name: name, attributes: [])
      var isVoid = false
      while let first = rest.first, first == " " {
        rest = rest.dropFirst()
        if rest.hasPrefix("/>") {
          isVoid = true
          rest = rest.dropFirst(1)
          break
        }
        let attribute = String(rest.prefix { $0 != "=" })
        tag.attributes.append(attribute)
        rest = rest.dropFirst(attribute.count + 2)
        rest = rest.drop { $0 != "\"" }.dropFirst()
      }
      if rest.first != ">" { isBalanced = false }
      tags.append(tag)
      if !isVoid { open.append(name) }
    }
    if !open.isEmpty { isBalanced = false }
  }
}
