// The part of Foundation that needs no ICU: a module of its own in the toolchain for Linux, all of Foundation on Apple
// systems, where it is part of the system.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
