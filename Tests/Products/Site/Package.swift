// swift-tools-version: 6.2
import PackageDescription

// A package outside that builds a site, with stages of its own: `make check-products` at the top builds it.
let package = Package(
  name: "build",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tamis", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Build",
      dependencies: [.product(name: "Tamis", package: "tamis"), .product(name: "TamisCheck", package: "tamis")])
  ]
)
