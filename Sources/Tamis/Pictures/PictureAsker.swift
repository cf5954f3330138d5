import TamisArchive
import TamisCore
import TamisFetch
import TamisFiles

/// Fetches one file, with the same guards as for feeds, and stores it if it is a picture.
struct PictureAsker: Sendable {
  /// The result of fetching the picture.
  struct Answer: PoliteQueue.Contacting {
    var picture: MissingPicture
    var outcome: PictureOutcome
    /// The finding about a failure; nil when there is none.
    var finding: Finding?
    /// The request; nil when there was none.
    var contact: Reachability.Contact?
  }

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
    if case .failed(let problem) = answer.outcome {
      return failed(
        picture, message: problem.message, rule: problem.reason.rawValue, isFinal: problem.isFinal, answer: answer)
    }
    do throws(PictureRefusal) {
      let file = try PictureFile(bytes, limits: limits)
      do throws(FileFailure) {
        return Answer(picture: picture, outcome: .stored(try folder.store(bytes, file)))
      } catch {
        return failed(picture, message: "it cannot be stored: \(error)", rule: "write", isFinal: false, answer: answer)
      }
    } catch {
      if error == .unseen { return Answer(picture: picture, outcome: .givenUp(error.message)) }
      return failed(picture, message: error.message, rule: "refused", isFinal: error.isFinal, answer: answer)
    }
  }

  private func failed(
    _ picture: MissingPicture, message: String, rule: String, isFinal: Bool, answer: FetchAnswer
  ) -> Answer {
    let finding = Finding(.note, "pictures.\(rule)", message, at: Finding.Location(file: picture.address))
    if PoliteQueue.isGivenUp(isFinal: isFinal, failures: picture.failures) {
      return Answer(picture: picture, outcome: .givenUp(message), finding: finding)
    }
    let next = PoliteQueue.nextTime(after: answer, failures: picture.failures, now: now)
    return Answer(picture: picture, outcome: .failed(message, next: next), finding: finding)
  }
}
