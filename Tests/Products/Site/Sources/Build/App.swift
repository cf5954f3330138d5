import Foundation
import Tamis

/// The state of an app that shows a site, and builds it again.
@MainActor final class Reader {
  private(set) var status = ""
  private(set) var findings: [Finding] = []

  func refresh(_ configuration: SiteBuild.Configuration) async {
    status = "building"
    do {
      let report = try await SiteBuild(configuration).run { step in Task { @MainActor in self.status = "\(step)" } }
      (status, findings) = ("\(report.pages?.written ?? 0) pages written", report.ingest?.findings ?? [])
    } catch {
      status = "\(error)"
    }
  }
}
