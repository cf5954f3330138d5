import CTidy
import TamisCore

/// An open libtidy document: parse once, read the body, close.
@safe struct TidyDocument: ~Copyable {
  private let document: TidyDoc

  /// The maximum depth of elements that libtidy is expected to move into a block.
  private static let deepestFormatting = 16

  /// The maximum size of a buffer that is used for the next text; a larger one is freed.
  private static let keptBufferBytes = 1024

  /// The options, spelled as in libtidy's manual, which turn off everything that changes more than the structure.
  private static let options = [
    ("quiet", "yes"), ("show-warnings", "no"), ("show-info", "no"), ("show-errors", "0"), ("force-output", "yes"),
    ("tidy-mark", "no"), ("input-encoding", "utf8"), ("output-encoding", "utf8"), ("wrap", "0"),
    ("show-body-only", "yes"), ("literal-attributes", "yes"), ("keep-tabs", "yes"),
    ("repeated-attributes", "keep-last"),
    ("drop-empty-elements", "no"), ("drop-empty-paras", "no"), ("drop-proprietary-attributes", "no"),
    ("merge-emphasis", "no"), ("merge-divs", "no"), ("merge-spans", "no"), ("clean", "no"), ("bare", "no"),
    ("word-2000", "no"), ("gdoc", "no"), ("logical-emphasis", "no"), ("fix-backslash", "no"), ("fix-uri", "no"),
    ("fix-bad-comments", "no"), ("lower-literals", "no"), ("anchor-as-name", "no"), ("join-classes", "no"),
    ("join-styles", "no"), ("coerce-endtags", "no"), ("skip-nested", "no"), ("escape-scripts", "no"),
    ("add-meta-charset", "no"), ("fix-style-tags", "no"), ("warn-proprietary-attributes", "no"), ("custom-tags", "no"),
  ]

  init() {
    unsafe document = unsafe tidyCreate()
    // Without a callback, libtidy prints to standard error.
    unsafe tidySetMessageCallback(document, { _ in TidyBool(0) })
    for (name, value) in Self.options {
      // Options are set by name and text: the typed setters end the process when an option has another type in this
      // libtidy.
      let accepted = unsafe tidyOptParseValue(document, name, value)
      assert(accepted.rawValue != 0, "libtidy does not know the option \(name)=\(value)")
    }
  }

  deinit {
    unsafe tidyRelease(document)
  }

  /// Parses the input; returns whether libtidy could.
  func parse(_ input: borrowing Span<UInt8>) -> Bool {
    var buffer = unsafe TidyBuffer()
    return unsafe input.withUnsafeBufferPointer { bytes in
      // The input is attached, not copied; libtidy only reads it.
      unsafe tidyBufAttach(&buffer, UnsafeMutablePointer(mutating: bytes.baseAddress), UInt32(bytes.count))
      let status = unsafe tidyParseBuffer(document, &buffer)
      unsafe tidyBufDetach(&buffer)
      return status >= 0
    }
  }

  /// Returns the children of the body as markup, written from libtidy's tree because its printer would add line breaks.
  func serializedBody() -> [UInt8] {
    var output: [UInt8] = []
    guard let body = unsafe tidyGetBody(document), var node = unsafe tidyGetChild(body) else { return output }
    var buffer = unsafe TidyBuffer()
    unsafe tidyBufInit(&buffer)
    defer { unsafe tidyBufFree(&buffer) }
    while true {
      let descends = unsafe open(node, &output, &buffer)
      if descends, let child = unsafe tidyGetChild(node) {
        unsafe node = unsafe child
        continue
      }
      if descends { unsafe close(node, &output) }
      while unsafe tidyGetNext(node) == nil {
        guard let parent = unsafe tidyGetParent(node), unsafe parent != body else { return output }
        unsafe node = unsafe parent
        unsafe close(node, &output)
      }
      if let next = unsafe tidyGetNext(node) { unsafe node = unsafe next }
    }
  }

  /// Writes a start tag or a text; returns whether the node may have children and needs an end tag.
  private func open(_ node: TidyNode, _ output: inout [UInt8], _ buffer: inout TidyBuffer) -> Bool {
    switch unsafe tidyNodeGetType(node) {
    case TidyNode_Start, TidyNode_StartEnd:
      guard let name = unsafe tidyNodeGetName(node), unsafe !isLeftBehind(node) else { return false }
      output.append(UInt8(ascii: "<"))
      unsafe Self.append(name, to: &output)
      unsafe appendAttributes(of: node, to: &output)
      output.append(UInt8(ascii: ">"))
      return unsafe !Self.isVoid(name)
    case TidyNode_Text:
      // libtidy zeroes the whole allocation before each text, so one long text would be paid for by all that follow.
      if unsafe buffer.allocated > Self.keptBufferBytes { unsafe tidyBufFree(&buffer) }
      guard unsafe tidyNodeGetValue(document, node, &buffer).rawValue != 0, let bytes = unsafe buffer.bp
      else { return false }
      let text = unsafe UnsafeBufferPointer(start: bytes, count: Int(buffer.size))
      // Inside svg and math libtidy leaves references as they are.
      if unsafe isForeign(node) {
        unsafe output.append(contentsOf: text)
      } else {
        for index in 0..<text.count { unsafe Self.append(escaped: text[index], to: &output) }
      }
      return false
    default:
      return false
    }
  }

  /// Whether an empty element is the rest of one that libtidy has moved into the following block, as in
  /// `<b><i></i></b><p><b><i>`.
  private func isLeftBehind(_ node: TidyNode) -> Bool {
    guard let block = unsafe following(node), var outer = unsafe tidyGetChild(block) else { return false }
    var left = unsafe Optional(node)
    // The elements of one chain have to be in the other, in the same order.
    for _ in 0..<Self.deepestFormatting {
      guard let own = unsafe left, let name = unsafe tidyNodeGetName(own), let other = unsafe tidyNodeGetName(outer)
      else {
        return unsafe left == nil
      }
      if unsafe strcmp(name, other) == 0 {
        guard unsafe attributes(of: own) == attributes(of: outer) else { return false }
        unsafe left = unsafe tidyGetChild(own)
        if let next = unsafe left, unsafe tidyGetNext(next) != nil { return false }
      }
      guard let child = unsafe tidyGetChild(outer) else { return unsafe left == nil }
      unsafe outer = unsafe child
    }
    return unsafe left == nil
  }

  /// Returns the next sibling of a node or of its nearest ancestor that has one.
  private func following(_ node: TidyNode) -> TidyNode? {
    var node = unsafe node
    for _ in 0..<Self.deepestFormatting {
      if let next = unsafe tidyGetNext(node) { return unsafe next }
      guard let parent = unsafe tidyGetParent(node) else { return nil }
      unsafe node = unsafe parent
    }
    return nil
  }

  private func attributes(of node: TidyNode) -> [UInt8] {
    var output: [UInt8] = []
    unsafe appendAttributes(of: node, to: &output)
    return output
  }

  private func close(_ node: TidyNode, _ output: inout [UInt8]) {
    guard let name = unsafe tidyNodeGetName(node) else { return }
    output += [UInt8(ascii: "<"), UInt8(ascii: "/")]
    unsafe Self.append(name, to: &output)
    output.append(UInt8(ascii: ">"))
  }

  private func appendAttributes(of node: TidyNode, to output: inout [UInt8]) {
    var next = unsafe tidyAttrFirst(node)
    while let attribute = unsafe next {
      if let name = unsafe tidyAttrName(attribute) {
        output.append(UInt8(ascii: " "))
        unsafe Self.append(name, to: &output)
        output += [UInt8(ascii: "="), UInt8(ascii: "\"")]
        if var value = unsafe tidyAttrValue(attribute) {
          while unsafe value.pointee != 0 {
            unsafe Self.append(escaped: UInt8(bitPattern: Int8(value.pointee)), to: &output)
            unsafe value += 1
          }
        }
        output.append(UInt8(ascii: "\""))
      }
      unsafe next = unsafe tidyAttrNext(attribute)
    }
  }

  private func isForeign(_ node: TidyNode) -> Bool {
    var next = unsafe tidyGetParent(node)
    while let ancestor = unsafe next {
      if let name = unsafe tidyNodeGetName(ancestor), unsafe ["svg", "math"].contains(String(cString: name)) {
        return true
      }
      unsafe next = unsafe tidyGetParent(ancestor)
    }
    return false
  }

  private static func isVoid(_ name: ctmbstr) -> Bool {
    unsafe ElementTable.void.contains(String(cString: name))
  }

  private static func append(_ name: ctmbstr, to output: inout [UInt8]) {
    unsafe output.append(contentsOf: String(cString: name).utf8)
  }

  private static func append(escaped byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
    case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
    case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
    case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
    default: output.append(byte)
    }
  }
}

/// The libtidy library.
package enum LibTidy {
  /// The version that runs, such as `5.6.0`.
  package static var version: String { unsafe String(cString: tidyLibraryVersion()) }
}
