// swift-tools-version: 6.2
import PackageDescription

// A package outside whose tests make the values that hooks receive: `make check-products` at the top runs them.
let package = Package(
  name: "hooks",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tamis", path: "../../..")],
  targets: [
    .target(name: "Hooks", dependencies: [.product(name: "TamisSanitizer", package: "tamis")]),
    .testTarget(name: "HooksTests", dependencies: ["Hooks"]),
  ]
)
