import TamisCore

extension HTMLTree {
  /// Writes the boxes of tasks as characters: `<li><input type="checkbox" checked> fill` becomes `<li>☑ fill`.
  ///
  /// A box is that of a task when nothing but white space is before it in its item.
  mutating func showTaskBoxes() {
    let label = knownNumber(ofElement: "label")
    for node in nodes.indices.map({ Int32($0) }) where isBox(node) && isTask(node, label: label) {
      let isDone = value(of: "checked", node) != nil
      let isApart = isSpace(at: nodes[Int(node)].next)
      // A program that draws a box of its own has said it already, as `<input type="checkbox"><label>▢ salt`.
      if saysBox(nodes[Int(node)].parent) {
        remove(node)
        continue
      }
      replace(node, withText: store(((isDone ? "☑" : "☐") + (isApart ? "" : " ")).utf8))
    }
  }

  /// Writes the boxes that programs draw by style sheets: `<span class="chcklst-box checked">` of Discourse, `<div
  /// class="checkbox checkbox-on">` of Notion, `<i class="fa fa-check-square-o">` of Asciidoctor, and `<li
  /// class="checked">` of Confluence.
  mutating func showDrawnTaskBoxes() {
    if ["checkbox", "chcklst-box", "fa", "inline-task-list"].allSatisfy({ !classNames.contains($0) }) { return }
    for node in nodes.indices.map({ Int32($0) }) {
      switch htmlName(node) {
      case .span, .div, .i:
        guard let box = Self.box(classes(of: node)), nodes[Int(node)].first < 0, isTask(node, label: -1) else {
          continue
        }
        replace(node, withText: store((box + (isSpace(at: nodes[Int(node)].next) ? "" : " ")).utf8))
      case .ul where classes(of: node).contains("inline-task-list"):
        for item in children(of: node) where htmlName(item) == .li && !saysBox(item) {
          let box = classes(of: item).contains("checked") ? "☑ " : "☐ "
          insertText(
            store(box.utf8), into: item, before: nodes[Int(item)].first, isMoved: false,
            at: nodes[Int(item)].location)
        }
      default: break
      }
    }
  }

  private static func box(_ classes: [String]) -> String? {
    if classes.contains("chcklst-box") { return classes.contains("checked") ? "☑" : "☐" }
    if classes.contains("checkbox") {
      return classes.contains("checkbox-on") ? "☑" : classes.contains("checkbox-off") ? "☐" : nil
    }
    guard classes.contains("fa") else { return nil }
    return classes.contains("fa-check-square-o") ? "☑" : classes.contains("fa-square-o") ? "☐" : nil
  }

  private func isTask(_ input: Int32, label: Int32) -> Bool {
    var node = input
    while true {
      var before = nodes[Int(node)].previous
      while before >= 0 {
        if nodes[Int(before)].kind == .element || nodes[Int(before)].kind == .text && !isBlank(text: before) {
          return false
        }
        before = nodes[Int(before)].previous
      }
      node = nodes[Int(node)].parent
      if node <= 0 { return false }
      if nodes[Int(node)].name == label { continue }
      switch htmlName(node) {
      case .li: return true
      case .p, .span, .div, .form: continue
      default: return false
      }
    }
  }

  private func isBox(_ node: Int32) -> Bool {
    guard htmlName(node) == .input, let type = value(of: "type", node) else { return false }
    return bytes[type].lazy.map(\.asciiLowercased).elementsEqual("checkbox".utf8)
  }

  private func saysBox(_ parent: Int32) -> Bool {
    let words = text(in: parent, most: 20).drop { $0.isHTMLSpace }
    return ["☐", "☑", "☒", "▢", "□", "▪"].contains { words.starts(with: $0.utf8) }
  }

  private func isSpace(at node: Int32) -> Bool {
    guard node >= 0, nodes[Int(node)].kind == .text else { return false }
    let first = pieces[Int(nodes[Int(node)].content.lowerBound)].range.lowerBound
    return bytes[first].isHTMLSpace
  }
}
