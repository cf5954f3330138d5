import Foundation
import TamisCore
import TamisSite
import TestSupport
import Testing

/// Themes: those that are built in, and the mistakes in `Fixtures/Themes`.
@Suite struct ThemeTests {
  @Test(arguments: Site.Theme.names)
  func builtInThemesPassCheck(_ name: String) throws {
    let theme = try #require(Site.Theme.shipped(name))
    #expect(ThemeCheck.findings(in: theme, named: name) == [])
  }

  @Test(arguments: Case.all(in: "Themes"))
  func themeMistakesAreReported(_ each: Case) throws {
    let folder = try Fixtures.temporaryFolder()
    let file = try #require(each.settings["file"])
    let source = try #require(each.sections["source"])
    try Data((source + "\n").utf8).write(to: URL(filePath: "\(folder.path)/\(file)"))
    let said: [String]
    do {
      said = ThemeCheck.findings(in: try Site.Theme(folder: folder.path), named: "theme").map(\.description)
    } catch {
      said = ["\(error)"]
    }
    let finding = try #require(each.sections["finding"])
    #expect(said.contains { $0.contains(finding) }, "\(said)")
  }

  @Test func missingThemeFilesDefaultToStandard() throws {
    let folder = try Fixtures.temporaryFolder()
    try Data("<p class=own>{{title}}</p>".utf8).write(to: URL(filePath: folder.path + "/card.mustache"))
    let theme = try Site.Theme(folder: folder.path)
    #expect(theme.files["style.css"] == Site.Theme.standard.files["style.css"])
    #expect(theme.files["card.mustache"] != Site.Theme.standard.files["card.mustache"])
  }

  @Test func folderWithoutThemeIsRejected() throws {
    let folder = try Fixtures.temporaryFolder()
    #expect(throws: Site.ThemeError.self) { try Site.Theme(folder: folder.path) }
    #expect(throws: Site.ThemeError.self) { try Site.Theme(folder: folder.path + "/nothing") }
  }
}
