// swift-tools-version: 6.2
import PackageDescription

// A package outside that uses the sanitizer alone: `make check-products` at the top builds it and sees what it brings
// along.
let package = Package(
  name: "sanitize",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tamis", path: "../../..")],
  targets: [.executableTarget(name: "Sanitize", dependencies: [.product(name: "TamisSanitizer", package: "tamis")])]
)
