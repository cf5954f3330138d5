// swift-tools-version: 6.2
import PackageDescription

// Debian's re2.pc has a flag that SwiftPM refuses with a warning (-pthread), and its compilers find the library without.
#if os(Linux)
  let re2: String? = nil
#else
  let re2: String? = "re2"
#endif

// The targets stand in the order in which a post travels through them; see CONTRIBUTING.md, "The flow".
let package = Package(
  name: "tamis",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    // By weight: each links what it needs and nothing else; `make check-products` sees that.
    .library(name: "TamisSanitizer", targets: ["TamisSanitizer"]),
    .library(name: "TamisFeed", targets: ["TamisFeed"]),
    .library(name: "Tamis", targets: ["Tamis"]),
    .library(name: "TamisCheck", targets: ["TamisCheck"]),
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
    .systemLibrary(
      name: "CCMarkGFM", pkgConfig: "libcmark-gfm",
      providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"]), .brew(["cmark-gfm"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(name: "CRE2Library", pkgConfig: re2, providers: [.apt(["libre2-dev"]), .brew(["re2"])]),
    // It has no pkg-config file in Debian 12.
    .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"]), .brew(["libunistring"])]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),

    // Of libcurl only the header (libcurl4-openssl-dev): the library is loaded when a request is sent.
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

    // Of libmicrohttpd only the header (libmicrohttpd-dev): the library is loaded when a server starts.
    .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    // RE2 is a library of C++; this is the part that is used, as functions of C.
    .target(name: "CRE2", dependencies: ["CRE2Library"], linkerSettings: [.linkedLibrary("re2")]),

    // Files that are part of the program, as C takes them in.
    .target(name: "CBuiltInFiles"),
    // An empty table that the command links in place of ICU's data.
    .target(name: "CICUData"),

    // The part of Foundation that needs no ICU, by one name on all systems.
    .target(name: "TamisFoundation"),
    .target(name: "TamisLibC"),
    .target(name: "TamisCore", dependencies: ["CBuiltInFiles"]),
    .target(
      name: "TamisSystem",
      dependencies: ["CNettle", "CUnistring", "CXXHash", "CZlib", "CZstd", "TamisCore", "TamisLibC"]),
    .target(name: "TamisEncoding", dependencies: ["CEncoding", "TamisCore"]),
    .target(name: "TamisURL", dependencies: ["CIDN2", "TamisCore", "TamisLibC"]),
    .target(name: "TamisTeX", dependencies: ["TamisCore"]),
    .target(name: "TamisHTML", dependencies: ["TamisCore", "TamisTeX"]),
    .target(name: "TamisYAML", dependencies: ["TamisCore", .product(name: "Yams", package: "Yams")]),
    .target(
      name: "TamisFetch", dependencies: ["CCurl", "TamisCore", "TamisSystem", "TamisLibC", "TamisURL", "TamisHTML"]),
    .target(name: "TamisFeed", dependencies: ["CLibXML2", "TamisCore", "TamisEncoding", "TamisURL"]),
    .target(
      name: "TamisSanitizer",
      dependencies: ["CBuiltInFiles", "CTidy", "TamisCore", "TamisHTML", "TamisURL", "TamisYAML"]),
    .target(name: "TamisMarkdown", dependencies: ["TamisCore", "TamisHTML"]),
    .target(
      name: "TamisArticle",
      dependencies: ["CBuiltInFiles", "TamisCore", "TamisEncoding", "TamisURL", "TamisHTML", "TamisYAML"],
      exclude: ["Shipped"]),
    .target(
      name: "TamisExtract", dependencies: ["TamisCore", "TamisURL", "TamisHTML"]),
    .target(
      name: "TamisPlanet",
      dependencies: [
        "CRE2", "TamisCore", "TamisFeed", "TamisHTML", "TamisLibC", "TamisSystem", "TamisURL", "TamisYAML",
      ]),
    .target(
      name: "TamisArchive",
      dependencies: [
        "TamisCore", "TamisSystem", "TamisFoundation", "TamisURL", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "TamisSite",
      dependencies: [
        "CBuiltInFiles", "TamisCore", "TamisSystem", "TamisFoundation", "TamisHTML", "TamisLibC", "TamisMarkdown",
      ],
      exclude: ["Themes", "Sheets", "Scripts", "Languages"]),
    .target(name: "TamisServe", dependencies: ["CMicroHTTPD", "TamisCore", "TamisSystem", "TamisLibC"]),
    .target(
      name: "TamisCheck",
      dependencies: ["TamisCore", "TamisSystem", "TamisFoundation", "TamisHTML", "TamisURL", "TamisSanitizer"]),
    .target(
      name: "Tamis",
      dependencies: [
        "CCMarkGFM", "TamisCore", "TamisSystem", "TamisFoundation", "TamisURL", "TamisFetch", "TamisFeed", "TamisHTML",
        "TamisSanitizer", "TamisMarkdown", "TamisExtract", "TamisArticle", "TamisPlanet", "TamisArchive", "TamisSite",
      ]),
    .target(
      name: "TamisRecords",
      dependencies: [
        "TamisCore", "TamisSystem", "TamisFoundation", "TamisLibC", "TamisURL", "TamisFeed", "TamisHTML",
        "TamisSanitizer", "TamisExtract", "TamisArticle", "TamisArchive", "Tamis",
      ]),
    // With Swift's own libraries inside: the command starts sooner, takes less memory, and runs without a
    // toolchain. What Foundation needs is named, since its modules say so only to code that is compiled for it.
    // Nothing looks up symbols of the command, so it exports none: 700,000 instructions less at each start. No library
    // and no test depends on this target.
    .executableTarget(
      name: "TamisCommand",
      dependencies: [
        "CICUData", "TamisCore", "TamisSystem", "TamisFoundation", "TamisURL", "TamisFetch", "TamisFeed", "TamisHTML",
        "TamisSanitizer", "TamisExtract", "TamisArticle", "TamisPlanet", "TamisArchive", "TamisSite", "Tamis",
        "TamisCheck", "TamisRecords", "TamisServe", "TamisLibC",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      linkerSettings: [
        .unsafeFlags(
          [
            "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
            "-lFoundationEssentials", "-lFoundationInternationalization", "-lstdc++",
            "-Xlinker", "--no-export-dynamic",
          ], .when(platforms: [.linux], configuration: .release))
      ]),

    .target(
      name: "TestSupport",
      dependencies: [
        "Tamis", "TamisCheck", "TamisArchive", "TamisArticle", "TamisCore", "TamisExtract", "TamisFeed", "TamisFetch",
        "TamisSystem", "TamisPlanet", "TamisSanitizer", "TamisSite", "TamisURL",
      ],
      path: "Tests/TestSupport"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Tamis", "TamisArchive", "TamisCheck", "TamisCore", "TamisFeed", "TamisFoundation", "TamisMarkdown",
        "TamisPlanet", "TamisSanitizer", "TamisURL",
      ],
      path: "Tests/Fuzz/Targets"),
    .testTarget(name: "TamisCoreTests", dependencies: ["TamisCore", "TestSupport"]),
    .testTarget(
      name: "TamisSystemTests", dependencies: ["CZlib", "CZstd", "TamisCore", "TamisSystem", "TestSupport"]),
    .testTarget(name: "TamisEncodingTests", dependencies: ["TamisCore", "TamisEncoding", "TestSupport"]),
    .testTarget(name: "TamisURLTests", dependencies: ["TamisURL", "TestSupport"]),
    .testTarget(name: "TamisHTMLTests", dependencies: ["TamisCore", "TamisHTML", "TestSupport"]),
    .testTarget(name: "TamisFetchTests", dependencies: ["TamisCore", "TamisFetch", "TamisURL", "TestSupport"]),
    .testTarget(name: "TamisFeedTests", dependencies: ["Tamis", "TamisCore", "TamisFeed", "TestSupport"]),
    .testTarget(
      name: "TamisSanitizerTests",
      dependencies: ["TamisCheck", "TamisCore", "TamisHTML", "TamisSanitizer", "TamisURL", "TestSupport"]),
    .testTarget(name: "TamisYAMLTests", dependencies: ["TamisCore", "TamisYAML", "TestSupport"]),
    .testTarget(name: "TamisMarkdownTests", dependencies: ["Tamis", "TestSupport"]),
    .testTarget(name: "TamisPlanetTests", dependencies: ["Tamis", "TestSupport"]),
    .testTarget(name: "TamisExtractTests", dependencies: ["Tamis", "TestSupport"]),
    .testTarget(name: "TamisArticleTests", dependencies: ["Tamis", "TamisArticle", "TamisHTML", "TestSupport"]),
    .testTarget(
      name: "TamisArchiveTests",
      dependencies: ["Tamis", "TamisSystem", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "TamisSiteTests",
      dependencies: ["TamisCore", "TamisSystem", "TamisSanitizer", "TamisSite", "TestSupport"]),
    .testTarget(name: "TamisServeTests", dependencies: ["TamisSystem", "TamisServe", "TestSupport"]),
    .testTarget(
      name: "TamisCheckTests", dependencies: ["FuzzTargets", "TamisCheck", "TamisSanitizer", "TestSupport"]),
    .testTarget(
      name: "TamisTests", dependencies: ["Tamis", "TamisCheck", "TamisHTML", "TamisRecords", "TestSupport"]),
    .testTarget(
      name: "TamisCommandTests", dependencies: ["Tamis", "TamisCheck", "TamisCore", "TamisSystem", "TestSupport"]),
    .testTarget(name: "ConformanceTests", dependencies: ["Tamis", "TamisCheck", "TamisRecords", "TestSupport"]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// The program of `make fuzz`: all of it is built with libFuzzer's counters, for which `swift build` has no runtime.
if Context.environment["TAMIS_FUZZING"] != nil {
  package.targets.append(.executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver"))
}

/// Modules that import C, where each unsafe expression is marked.
let modulesWithC: Set = [
  "TamisSystem", "TamisEncoding", "TamisSanitizer", "TamisFetch", "TamisPlanet", "TamisServe",
]
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
  if Context.environment["CI"] != nil { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
  if modulesWithC.contains(target.name) { target.swiftSettings?.append(.strictMemorySafety()) }
  // Tests run against what is released, but to make the tests themselves fast takes longer than they then save.
  if target.type == .test { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
  // The command reads options and calls the modules, which do the work: to make it fast takes twenty seconds.
  if target.type == .executable { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
}
