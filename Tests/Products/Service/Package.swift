// swift-tools-version: 6.2
import PackageDescription

// A package outside that sanitizes comments in a server: `make check-service` at the top builds and asks it.
let package = Package(
  name: "service",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "tamis", path: "../../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
  ],
  targets: [
    .executableTarget(
      name: "Service",
      dependencies: [
        .product(name: "TamisSanitizer", package: "tamis"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ])
  ]
)
