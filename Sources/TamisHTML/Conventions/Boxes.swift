import TamisCore

extension HTMLTree {
  /// Makes listings and tables of the boxes that programs write for them, and takes their own marks from items.
  ///
  ///     <div class="ltx_listing"><div class="ltx_listingline">a</div>           <pre><span>a</span>⏎    LaTeXML, arXiv
  ///     <div class="fragment"><div class="line">a</div>                         <pre><span>a</span>⏎    Doxygen
  ///     <span class="ltx_tabular"><span class="ltx_tr"><span class="ltx_td">a    <table><tr><td>a         LaTeXML
  ///     <li style="list-style:none"><span class="ltx_tag_item">•</span> a       <li>a                   LaTeXML
  mutating func readBoxes() {
    if ["fragment", "ltx_listing", "ltx_tabular", "ltx_tag_item"].allSatisfy({ !classNames.contains($0) }) { return }
    for node in nodes.indices.map({ Int32($0) }) where nodes[Int(node)].parent > 0 {
      guard let name = htmlName(node), name == .div || name == .span else { continue }
      let classes = classes(of: node)
      if name == .div, classes.contains("ltx_listing") || classes.contains("fragment") {
        makeListing(of: node)
      } else if name == .span, classes.contains("ltx_tag_item"), htmlName(nodes[Int(node)].parent) == .li {
        controls.insert(node)
      } else if name == .span, classes.contains("ltx_tabular"), isInFlow(node) {
        makeTable(of: node)
      }
    }
  }

  private mutating func makeListing(of box: Int32) {
    let parts = children(of: box)
    guard parts.contains(where: { isMarkedLine($0) }) else { return }
    for part in parts where classes(of: part).contains("ltx_listing_data") { controls.insert(part) }
    rename(box, .pre)
  }

  /// Whether a table can stand where a node is: outside of paragraphs and words.
  private func isInFlow(_ node: Int32) -> Bool {
    let parent = htmlName(nodes[Int(node)].parent)
    return parent == .figure || parent == .div || parent == .section || parent == .article || parent == .td
  }

  private mutating func makeTable(of box: Int32) {
    rename(box, .table)
    for part in children(of: box) { makeTablePart(of: part) }
  }

  private static let tableParts: [String: HTMLName] = [
    "ltx_thead": .thead, "ltx_tbody": .tbody, "ltx_tfoot": .tfoot, "ltx_tr": .tr,
  ]

  private mutating func makeTablePart(of node: Int32) {
    let classes = classes(of: node)
    if let name = classes.compactMap({ Self.tableParts[$0] }).first {
      rename(node, name)
      for part in children(of: node) { makeTablePart(of: part) }
    } else if classes.contains("ltx_td") {
      rename(node, classes.contains("ltx_th") ? .th : .td)
      for (prefix, name) in [("ltx_colspan_", "colspan"), ("ltx_rowspan_", "rowspan")] {
        guard let span = classes.first(where: { $0.hasPrefix(prefix) })?.dropFirst(prefix.count) else { continue }
        set(name, store(span.utf8), of: node)
      }
    }
  }
}
