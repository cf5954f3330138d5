import TamisCore

/// The search page.
extension Site {
  static let searchPath = PagePath("search.html")

  /// Returns the search page (`search.html`), with a form of the owner's search engine if there is one.
  package func searchPage() -> SiteFile {
    var page = context(Self.searchPath, title: words.text(.search))
    if let form = options.search { page.set(.csp, PagePolicy.searching(form, options)) }
    page.set(
      .search,
      options.search.map { form in
        var context = PageContext(capacity: 6)
        context.set(.action, address: form.action)
        context.set(.name, form.wordsName)
        context.set(.title, words.text(.searchWith, [.host: form.host]))
        context.set(.note, words.text(.searchLeaves, [.host: form.host]))
        context.set(
          .items,
          form.others.map { field in
            var context = PageContext(capacity: 2)
            context.set(.name, field.name)
            context.set(.title, field.value)
            return context
          })
        return context
      })
    return self.page("search", at: Self.searchPath, page)
  }
}
