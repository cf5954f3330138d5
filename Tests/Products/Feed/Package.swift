// swift-tools-version: 6.2
import PackageDescription

// A package outside that reads feeds and nothing else: `make check-products` at the top builds it and sees what it
// brings along.
let package = Package(
  name: "read",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tamis", path: "../../..")],
  targets: [.executableTarget(name: "Read", dependencies: [.product(name: "TamisFeed", package: "tamis")])]
)
