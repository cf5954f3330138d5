import TamisArchive
import TamisCore
import TamisFetch
import TamisSystem

/// Fetches one file, with the same guards as for feeds, and stores it if it is a picture.
struct PictureAsker: Sendable {
  typealias Answer = PoliteQueue.Answer<MissingPicture, StoredPicture>

  private let fetcher: Fetcher
  private let folder: PictureFolder
  private let limits: PictureLimits
  private let now: Int64?

  init(_ options: SiteBuild.FetchOptions, into folder: PictureFolder, now: Int64?) throws(FetchProblem) {
    (self.folder, self.now, limits) = (folder, now, options.pictures)
    fetcher = try options.fetcher(largest: limits.bytes)
  }

  func ask(_ picture: MissingPicture) async -> Answer {
    let body = BoundedBody(most: limits.bytes)
    let answer = await fetcher.fetch(picture.address, into: body)
    var found = self.answer(answer, body.bytes, for: picture)
    found.contact = Reachability.Contact(answer, from: picture.address)
    return found
  }

  private func answer(_ answer: FetchAnswer, _ bytes: [UInt8], for picture: MissingPicture) -> Answer {
    func failed(_ message: String, _ code: String, isFinal: Bool) -> Answer {
      Answer(failed: picture, answer, now: now, message, "pictures.\(code)", isFinal: isFinal)
    }
    if case .failed(let problem) = answer.outcome {
      return failed(problem.message, problem.reason.rawValue, isFinal: problem.isFinal)
    }
    do throws(PictureRefusal) {
      let file = try PictureFile(bytes, limits: limits)
      do throws(FileFailure) {
        return Answer(picture, .came(try folder.store(bytes, file)))
      } catch {
        return failed("it cannot be stored: \(error)", "write", isFinal: false)
      }
    } catch {
      if error == .unseen { return Answer(picture, .givenUp(error.message)) }
      return failed(error.message, "refused", isFinal: error.isFinal)
    }
  }
}
