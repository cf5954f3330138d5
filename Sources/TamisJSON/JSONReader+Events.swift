import CYAJL

/// What yajl calls.
extension JSONReader {
  private func enter() -> Bool {
    depth += 1
    guard depth > Self.deepest else { return true }
    fail("objects and arrays are nested more than \(Self.deepest) deep")
    return false
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> JSONReader? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<JSONReader>.fromOpaque(data).takeUnretainedValue()
  }

  /// Tells the handler something; the answer is what yajl wants to know: 0 to stop.
  private static func report(_ data: UnsafeMutableRawPointer?, _ event: (JSONReader) -> Void) -> Int32 {
    guard let reader = unsafe from(data), !reader.isDone else { return 0 }
    event(reader)
    return reader.isDone ? 0 : 1
  }

  /// What the current string holds: what was read from its token, else what yajl has read.
  private func text(or bytes: UnsafePointer<UInt8>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    unsafe text ?? UnsafeBufferPointer(start: bytes, count: count)
  }

  /// The functions that yajl calls.
  static func table() -> yajl_callbacks {
    var table = yajl_callbacks()
    unsafe table.yajl_null = { data in unsafe JSONReader.report(data) { $0.handler.null() } }
    unsafe table.yajl_boolean = { data, value in
      unsafe JSONReader.report(data) { $0.handler.bool(value != 0) }
    }
    unsafe table.yajl_number = { data, text, count in
      let bytes = unsafe UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self)
      guard let bytes = unsafe bytes else { return 0 }
      return unsafe JSONReader.report(data) { unsafe $0.handler.number(Span(_unsafeStart: bytes, count: count)) }
    }
    unsafe table.yajl_string = { data, text, count in
      guard let text = unsafe text else { return 0 }
      return unsafe JSONReader.report(data) {
        unsafe $0.handler.string(Span(_unsafeElements: $0.text(or: text, count)))
      }
    }
    unsafe table.yajl_map_key = { data, text, count in
      guard let text = unsafe text else { return 0 }
      return unsafe JSONReader.report(data) { unsafe $0.handler.key(Span(_unsafeElements: $0.text(or: text, count))) }
    }
    unsafe table.yajl_start_map = { data in
      unsafe JSONReader.report(data) { if $0.enter() { $0.handler.startObject() } }
    }
    unsafe table.yajl_start_array = { data in
      unsafe JSONReader.report(data) { if $0.enter() { $0.handler.startArray() } }
    }
    unsafe table.yajl_end_map = { data in
      unsafe JSONReader.report(data) {
        $0.depth -= 1
        $0.handler.endObject()
      }
    }
    unsafe table.yajl_end_array = { data in
      unsafe JSONReader.report(data) {
        $0.depth -= 1
        $0.handler.endArray()
      }
    }
    return table
  }
}
