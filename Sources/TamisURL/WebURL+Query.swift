/// One `name=value` of a query, as "application/x-www-form-urlencoded parsing" splits it (section 5.1).
public struct QueryParameter: Sendable, Hashable {
  /// The name as it is in the URL, percent-encoded.
  public let rawName: String

  /// The value as it is in the URL, percent-encoded; nil when the parameter has no `=`.
  public let rawValue: String?

  /// The name, decoded: `+` is a space, `%XX` a byte, and invalid UTF-8 becomes U+FFFD.
  public var name: String { Self.decode(rawName.utf8) }

  /// The value, decoded like ``name``; empty when the parameter has no `=`.
  public var value: String { Self.decode((rawValue ?? "").utf8) }

  init(_ bytes: ArraySlice<UInt8>) {
    let name = bytes.prefix { $0 != ASCII.equals }
    rawName = String(decoding: name, as: UTF8.self)
    let value = bytes.dropFirst(name.count + 1)
    rawValue = name.count < bytes.count ? String(decoding: value, as: UTF8.self) : nil
  }

  static func decode(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: PercentEncoding.decode(bytes, plusIsSpace: true), as: UTF8.self)
  }
}

extension WebURL {
  /// The parameters of the query in their order, empty ones (`&&`) left out (section 5.1).
  ///
  /// Empty when there is no query. A parameter may occur more than once.
  public var queryParameters: [QueryParameter] {
    queryPieces.filter { !$0.isEmpty }.map { QueryParameter($0) }
  }

  /// The URL without the query parameters whose decoded name satisfies `predicate`.
  ///
  /// The bytes of all others stay as they are, in their order. The `?` goes too when no parameter is left. A URL from
  /// which nothing is removed comes back unchanged.
  public func removingQueryParameters(where predicate: (String) -> Bool) -> WebURL {
    let pieces = queryPieces
    let kept = pieces.filter { piece in
      piece.isEmpty || !predicate(QueryParameter.decode(piece.prefix { $0 != ASCII.equals }))
    }
    guard kept.count < pieces.count else { return self }
    let isEmpty = kept.allSatisfy(\.isEmpty)
    return replacingQuery(bytes: isEmpty ? nil : Array(kept.joined(separator: [ASCII.ampersand])))
  }

  /// The query between its ampersands.
  private var queryPieces: [ArraySlice<UInt8>] {
    let start = Int(layout.queryStart) + 1
    guard start <= Int(layout.fragmentStart) else { return [] }
    return utf8[start..<Int(layout.fragmentStart)]
      .split(separator: ASCII.ampersand, omittingEmptySubsequences: false)
  }
}
