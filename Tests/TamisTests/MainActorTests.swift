import Foundation
import Tamis
import TestSupport
import Testing

/// Builds that are started on the main actor.
@Suite struct MainActorTests {
  @MainActor @Test func buildRunsOffMainActor() async throws {
    let folder = try Fixtures.temporaryFolder()
    let site = FilePath(folder.path + "/site")
    let configuration = SiteBuild.Configuration(
      feeds: [FilePath(Fixtures.url("Feeds").path)], output: site, title: "Planet")
    let build = SiteBuild(configuration)
    let report = try await build.run { _ in
      #expect(!Thread.isMainThread, "progress is told on the main thread")
    }
    #expect(report.ingest?.feeds ?? 0 > 0)
    MainActor.preconditionIsolated()
  }
}
