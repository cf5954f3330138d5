import TamisCore
public import TamisFeed
import TamisFetch
import TamisURL

/// Requests feeds and pages with the guards of a build.
///
/// Only public addresses are asked, also after redirects and the resolving of names; private ones have to be allowed.
/// Redirects, sizes and times are bounded, requests to one host are few at a time and apart, and nothing is sent that
/// tells readers apart.
public struct DocumentFetcher: Sendable {
  /// The reason why there is no document.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in words, with the address.
    public let description: String
    /// The status of the last response; nil when there was none.
    public let status: Int?

    init(_ problem: FetchProblem, at address: String) {
      (description, status) = ("\(address): \(problem.message)", problem.status)
    }
  }

  private let fetcher: Fetcher
  private let maximumBytes: Int

  /// Creates a fetcher, which can be shared by any number of tasks.
  ///
  /// - Parameters:
  ///   - contact: an address at which servers' owners can reach you, as a part of the user agent; nil for none.
  ///   - allowed: networks besides the public ones that may be asked, as `192.168.0.0/16` or `::1`.
  ///   - maximumBytes: the maximum size of a document, compressed or not (default 20 MiB).
  /// - Throws: ``Failure`` when a network is not written as one, or requests cannot be made at all, as without libcurl.
  public init(contact: String? = nil, allowing allowed: [String] = [], maximumBytes: Int = 20 << 20) throws(Failure) {
    var options = SiteBuild.FetchOptions()
    options.transport.userAgent = ReleaseVersion.userAgent(contact: contact)
    for text in allowed {
      guard let range = IPRange(text) else {
        throw Failure(FetchProblem(.address, "this is not a network, such as 192.168.0.0/16"), at: text)
      }
      options.transport.guardian.allowed.append(range)
    }
    try self.init(options, maximumBytes: maximumBytes)
  }

  /// Creates a fetcher with other options.
  package init(_ options: SiteBuild.FetchOptions, maximumBytes: Int) throws(Failure) {
    do throws(FetchProblem) { fetcher = try options.fetcher(largest: maximumBytes) } catch {
      throw Failure(error, at: "libcurl")
    }
    self.maximumBytes = maximumBytes
  }

  /// Returns the document at an address, with its header fields and the URL at which it was found.
  ///
  /// - Parameter address: an http or https URL.
  /// - Returns: the document, which is in memory.
  /// - Throws: ``Failure`` when the address is not allowed, or the server does not answer with a document in bounds.
  public func document(at address: String) async throws(Failure) -> FeedDocument {
    let body = BoundedBody(most: maximumBytes)
    let answer = await fetcher.fetch(address, into: body)
    switch answer.outcome {
    case .document: break
    case .failed(let problem): throw Failure(problem, at: address)
    case .notModified: throw Failure(FetchProblem(.http, "not modified"), at: address)
    }
    return FeedDocument(name: address, bytes: body.bytes, url: answer.address, headers: answer.fields)
  }
}
