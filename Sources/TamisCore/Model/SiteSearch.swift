/// The search of a site's search page.
package enum SiteSearch: Sendable, Hashable {
  /// A form that queries a search engine.
  case engine(SearchForm)
  /// A script on the page, which searches the data that the site has for programs.
  case page
}

/// A form that queries a search engine of the owner's choice.
///
/// A page without a script cannot search by itself.
package struct SearchForm: Sendable, Hashable {
  /// The form's target URL, http(s), without a query.
  package var action: String
  /// The scheme, host and port of ``action``, as a Content-Security-Policy names them.
  package var origin: String
  /// The engine's host, for display.
  package var host: String
  /// The name of the parameter with the search words.
  package var wordsName: String
  /// The other parameters, in the order of the URL.
  package var others: [Field]

  /// A hidden field of a form.
  package struct Field: Sendable, Hashable {
    /// The name.
    package var name: String
    /// The value.
    package var value: String

    /// Makes a field.
    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// Makes a form.
  package init(action: String, origin: String, host: String, wordsName: String, others: [Field]) {
    (self.action, self.origin, self.host) = (action, origin, host)
    (self.wordsName, self.others) = (wordsName, others)
  }
}
