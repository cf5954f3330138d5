import Foundation
import TamisSystem
import TestSupport
import Testing

/// Locks, one run at a time.
@Suite struct FileLockTests {
  private let folder: TemporaryFolder
  private var file: FilePath { FilePath(folder.path + "/a.archive") }

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func folderIsLockedOnce() throws {
    var lock = FileLock(folder: FilePath(folder.path), seconds: 0)
    #expect(lock != nil)
    #expect(FileLock(folder: FilePath(folder.path), seconds: 0) == nil)
    lock = nil
    #expect(FileLock(folder: FilePath(folder.path), seconds: 0) != nil)
    #expect(FileLock(folder: FilePath(folder.path + "/nothing"), seconds: 0) == nil)
  }

  @Test func fileIsLockedOnce() throws {
    var lock = FileLock(beside: file, seconds: 0)
    #expect(lock != nil && FileLock(beside: file, seconds: 0) == nil)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/a.archive.lock"))
    lock = nil
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/a.archive.lock"))
    #expect(FileLock(beside: file, seconds: -1) != nil)
    #expect(FileLock(beside: FilePath(folder.path + "/nothing/a"), seconds: 0) == nil)
  }

  @Test(.endsAtAll)
  func lockIsWaitedFor() async throws {
    var lock = FileLock(beside: file, seconds: 0)
    #expect(lock != nil)
    let path = file
    let second = Task.detached { FileLock(beside: path, seconds: 3000) != nil }
    try await Task.sleep(for: .milliseconds(200))
    lock = nil
    #expect(await second.value)
  }
}
