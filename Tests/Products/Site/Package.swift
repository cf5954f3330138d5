// swift-tools-version: 6.2
import PackageDescription

// A package outside that builds a site, with stages of its own: `make check-products` at the top builds it.
let package = Package(
  name: "build",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "tamis", path: "../../.."),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "Build",
      dependencies: [
        .product(name: "Tamis", package: "tamis"), .product(name: "TamisCheck", package: "tamis"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "SystemPackage", package: "swift-system"),
      ])
  ]
)
