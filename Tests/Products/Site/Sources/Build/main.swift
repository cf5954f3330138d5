import Tamis

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.last, arguments.count > 1 else { fatalError("name feeds and a folder for the site") }
var configuration = SiteBuild.Configuration(
  feeds: Array(arguments.dropLast()), output: output, title: "Outside")
configuration.stages = Stages(beforeSanitizing: [WithoutAdvertisements()], afterExtracting: [Signed()])
let report = try await SiteBuild(configuration).run()
print(report.pages?.written ?? 0, "files")
