// The C library of the system, by one name on all systems.
#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif
