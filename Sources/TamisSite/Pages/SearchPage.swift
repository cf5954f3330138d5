import TamisCore

/// The search page.
extension Site {
  static let searchPath = PagePath("search.html")

  /// Returns the search page (`search.html`), with the form of a search engine or with a script, as the options say.
  package func searchPage() -> SiteFile {
    var page = context(Self.searchPath, title: words.text(.search))
    switch settings.search {
    case .engine(let form):
      page.set(.csp, PagePolicy.linked(settings, allowing: .engine(form)))
      page.set(.search, context(of: form))
    case .page:
      page.set(.csp, PagePolicy.linked(settings, allowing: .page))
      page.set(.credit, words.text(.madeWithScript, [.generator: "Tamis"]))
      page.set(.script, PageScript(alternative: words.text(.searchNeedsScript)))
    case nil: break
    }
    return self.page("search", at: Self.searchPath, page)
  }

  private func context(of form: SearchForm) -> PageContext {
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
  }
}
