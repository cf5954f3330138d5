// swift-tools-version: 6.2
import PackageDescription

// The targets stand in the order in which a post travels through them; see README.md, "The house".
let package = Package(
  name: "tamis",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Tamis", targets: ["Tamis"]),
    .executable(name: "tamis", targets: ["TamisCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(name: "CTidy", pkgConfig: "tidy", providers: [.apt(["libtidy-dev"]), .brew(["tidy-html5"])]),
    .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"]), .brew(["libidn2"])]),
    .systemLibrary(
      name: "CEncoding", pkgConfig: "uchardet", providers: [.apt(["libuchardet-dev"]), .brew(["uchardet"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(name: "CYAJL", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    .target(name: "TamisCore"),
    .target(name: "TamisFiles", dependencies: ["CZlib", "TamisCore"]),
    .target(name: "TamisDigest", dependencies: ["CNettle", "CXXHash"]),
    .target(name: "TamisEncoding", dependencies: ["CEncoding", "TamisCore"]),
    .target(name: "TamisURL", dependencies: ["CIDN2"]),
    .target(name: "TamisXML", dependencies: ["CLibXML2", "TamisCore"]),
    .target(name: "TamisJSON", dependencies: ["CYAJL", "TamisCore"]),
    .target(name: "TamisTidy", dependencies: ["CTidy"]),
    .target(name: "TamisFeed", dependencies: ["TamisCore", "TamisEncoding", "TamisJSON", "TamisURL", "TamisXML"]),
    .target(name: "TamisSanitizer", dependencies: ["TamisCore", "TamisURL", "TamisXML", "TamisTidy"]),
    .target(
      name: "TamisRules",
      dependencies: ["TamisCore", "TamisSanitizer", .product(name: "Yams", package: "Yams")],
      resources: [.embedInCode("Shipped")]),
    .target(name: "TamisExtract", dependencies: ["TamisCore", "TamisJSON", "TamisURL", "TamisXML"]),
    .target(
      name: "TamisIndex",
      dependencies: ["TamisCore", "TamisDigest", "TamisURL", .product(name: "GRDB", package: "GRDB.swift")]),
    .target(
      name: "TamisSite",
      dependencies: ["TamisCore", "TamisDigest"],
      resources: [.embedInCode("Themes")]),
    .target(
      name: "TamisCheck",
      dependencies: ["TamisCore", "TamisFiles", "TamisDigest", "TamisURL", "TamisSanitizer", "TamisRules"]),
    .target(
      name: "Tamis",
      dependencies: [
        "TamisCore", "TamisFiles", "TamisDigest", "TamisURL", "TamisFeed", "TamisSanitizer", "TamisRules",
        "TamisExtract", "TamisIndex", "TamisSite", "TamisCheck",
      ]),
    .executableTarget(
      name: "TamisCommand",
      dependencies: ["Tamis", .product(name: "ArgumentParser", package: "swift-argument-parser")]),

    .executableTarget(name: "IndexBenchmark", dependencies: ["Tamis"], path: "Tests/Benchmarks"),
    .target(name: "TestSupport", dependencies: ["TamisCheck"], path: "Tests/TestSupport"),
    .testTarget(name: "TamisCoreTests", dependencies: ["TamisCore", "TestSupport"]),
    .testTarget(name: "TamisFilesTests", dependencies: ["TamisCore", "TamisFiles", "TestSupport"]),
    .testTarget(name: "TamisDigestTests", dependencies: ["TamisDigest"]),
    .testTarget(name: "TamisURLTests", dependencies: ["TamisURL"]),
    .testTarget(name: "TamisXMLTests", dependencies: ["TamisCore", "TamisXML"]),
    .testTarget(name: "TamisJSONTests", dependencies: ["TamisCore", "TamisJSON", "TestSupport"]),
    .testTarget(name: "TamisFeedTests", dependencies: ["Tamis", "TamisFeed", "TestSupport"]),
    .testTarget(
      name: "TamisSanitizerTests",
      dependencies: ["TamisCheck", "TamisCore", "TamisRules", "TamisSanitizer", "TamisURL", "TestSupport"]),
    .testTarget(name: "TamisRulesTests", dependencies: ["TamisRules", "TestSupport"]),
    .testTarget(name: "TamisExtractTests", dependencies: ["Tamis", "TestSupport"]),
    .testTarget(
      name: "TamisIndexTests", dependencies: ["Tamis", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "TamisSiteTests", dependencies: ["TamisCore", "TamisRules", "TamisSanitizer", "TamisSite", "TestSupport"]),
    .testTarget(
      name: "TamisCheckTests", dependencies: ["TamisCheck", "TamisRules", "TamisSanitizer", "TestSupport"]),
    .testTarget(name: "TamisTests", dependencies: ["Tamis", "TestSupport"]),
    .testTarget(name: "TamisCommandTests", dependencies: ["TamisCheck", "TamisCommand", "TamisCore", "TestSupport"]),
    .testTarget(name: "ConformanceTests", dependencies: ["Tamis", "TestSupport"]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

/// Rooms that import C, where each unsafe expression is marked.
let cRooms: Set = ["TamisFiles", "TamisDigest", "TamisEncoding", "TamisXML", "TamisJSON", "TamisTidy"]
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
  if Context.environment["CI"] != nil { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
  if cRooms.contains(target.name) { target.swiftSettings?.append(.strictMemorySafety()) }
}
