/// A form that queries a search engine of the owner's choice.
///
/// A page without scripts cannot search by itself.
public struct SearchForm: Sendable, Hashable {
  /// The form's target URL, http(s), without a query.
  public var action: String
  /// The scheme, host and port of ``action``, as a Content-Security-Policy names them.
  public var origin: String
  /// The engine's host, for display.
  public var host: String
  /// The name of the parameter with the search words.
  public var wordsName: String
  /// The other parameters, in the order of the URL.
  public var others: [Field]

  /// A hidden field of a form.
  public struct Field: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a field.
    public init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// Makes a form.
  public init(action: String, origin: String, host: String, wordsName: String, others: [Field]) {
    (self.action, self.origin, self.host) = (action, origin, host)
    (self.wordsName, self.others) = (wordsName, others)
  }
}
