/// A form that asks a search engine of the owner's choice: a page without a script cannot search by itself.
public struct SearchForm: Sendable, Hashable {
  /// Where the form leads, http or https, without a query.
  public var action: String
  /// Scheme, host and port of that, as a Content-Security-Policy names it.
  public var origin: String
  /// The engine's host, to be read.
  public var host: String
  /// The name by which the engine takes the words.
  public var wordsName: String
  /// What goes to the engine besides, in the order of the address.
  public var others: [Field]

  /// A value that a form sends unseen.
  public struct Field: Sendable, Hashable {
    /// By which name.
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
