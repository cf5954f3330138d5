// swift-tools-version: 6.2
import PackageDescription

// A package of its own, for all of it is built with libFuzzer's counters: `make fuzz` at the top.
let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tamis", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "TamisSanitizer", package: "tamis"), .product(name: "TamisCheck", package: "tamis"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
