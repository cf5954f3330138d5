import Foundation
import Synchronization
import Tamis
import TestSupport
import Testing

/// Builds whose task is cancelled: they say so, and the next build completes them.
@Suite struct CancellationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  /// Cancels a build at its first progress of some kind.
  private func cancel(
    _ build: SiteBuild, at isMoment: @escaping @Sendable (SiteBuild.Progress) -> Bool
  ) async -> Result<SiteBuild.Report, any Error> {
    let running = Mutex<Task<SiteBuild.Report, any Error>?>(nil)
    let task = Task {
      // The progress is heard only when the task is known.
      while running.withLock({ $0 == nil }) { await Task.yield() }
      return try await build.run { progress in
        if isMoment(progress) { running.withLock { $0?.cancel() } }
      }
    }
    running.withLock { $0 = task }
    return await task.result
  }

  private static let moments: [(name: String, isMoment: @Sendable (SiteBuild.Progress) -> Bool)] = [
    ("reading", { if case .read = $0 { true } else { false } }),
    ("writing", { if case .written = $0 { true } else { false } }),
  ]

  @Test(arguments: 0..<2) func cancelledBuildThrowsAndTheNextCompletesIt(_ number: Int) async throws {
    let (name, isMoment) = Self.moments[number]
    let configuration = TestSite.configuration(folder, name, TestSite.fixtures)
    let result = await cancel(SiteBuild(configuration), at: isMoment)
    #expect(throws: CancellationError.self) { try result.get() }
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).count
    try await Task.sleep(for: .milliseconds(100))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).count == files, "it goes on writing")
    _ = try await SiteBuild(configuration).run()
    _ = try await TestSite.build(folder, "\(name)-whole", TestSite.fixtures) { _ in }
    #expect(try TestSite.contents(folder, name) == TestSite.contents(folder, "\(name)-whole"))
  }

  /// A planet that one task after the other uses.
  private struct Shared: @unchecked Sendable { let planet: TestPlanet }

  /// A request that was cancelled is no failure of its feed.
  @Test func cancelledFetchBlamesNobody() async throws {
    let planet = try TestPlanet()
    let shared = Shared(planet: planet)
    let addresses = (0..<3).map { "https://\($0).example/feed" }
    for address in addresses { planet.web[address] = .document(TestPlanet.feed("F\(address.count)", ["One"])) }
    let text = "feeds: [\(addresses.map { "\"\($0)\"" }.joined(separator: ", "))]"
    let running = Mutex<Task<Void, any Error>?>(nil)
    planet.web.beforeAnswer.withLock { $0 = { running.withLock { $0?.cancel() } } }
    let task = Task {
      while running.withLock({ $0 == nil }) { await Task.yield() }
      _ = try await shared.planet.build(text)
    }
    running.withLock { $0 = task }
    await #expect(throws: CancellationError.self) { try await task.value }
    let archive = try Archive(file: "\(planet.folder.path)/site.archive", mode: .reading)
    #expect(try archive.fetchStates().values.allSatisfy { $0.failure == nil })
    planet.web.beforeAnswer.withLock { $0 = {} }
    let report = try await planet.build(text)
    #expect(report.ingest?.failed == 0 && report.ingest?.feeds == 3)
  }

  /// Without another word, a build knows the time: a feed that is not due is not asked again.
  @Test func clockIsOnByDefault() {
    let now = SiteBuild.Configuration(feeds: [], output: "site", title: "Planet").now ?? 0
    #expect(abs(now - Int64(Date().timeIntervalSince1970)) < 60)
  }
}
