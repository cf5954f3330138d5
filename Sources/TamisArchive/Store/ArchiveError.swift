import GRDB

extension Archive {
  /// The reason why the archive could not be used.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The problem and its remedy, with the file's name.
    public let description: String
    /// Whether the file is a damaged archive.
    public var isDamaged = false
    /// Whether invalid input lines are the reason, not the archive.
    public var isBadInput = false
    /// Whether the disk is full.
    public var isDiskFull = false
    /// Whether a later try may succeed: another run is writing the file, or the system did not let it be read.
    var isTransient = false
    /// The differences of the file's schema from that of this version, one a line; empty when there are none.
    package private(set) var schemaFaults: [String] = []

    init(_ description: String, isDamaged: Bool = false) {
      (self.description, self.isDamaged) = (description, isDamaged)
    }

    /// Creates the error of invalid input lines.
    init(badInput description: String) {
      self.init(description)
      isBadInput = true
    }

    /// Creates the error of a missing archive.
    package init(missing file: String) { self.init("\(file): there is no archive; make one with tamis ingest") }

    /// Creates the error of a file that another program has made or changed.
    init(file: String, schemaFaults: [String]) {
      let more = schemaFaults.count > 1 ? " (tamis archive verify names \(schemaFaults.count - 1) more)" : ""
      self.init(
        "\(file): this archive was made or changed by another program and is not used: \(schemaFaults.first ?? "")\(more)"
      )
      self.schemaFaults = schemaFaults
    }

    /// Creates an error from another one.
    ///
    /// - Parameters:
    ///   - error: the error; an ``Archive/Failure`` is taken over as it is.
    ///   - file: the archive's file.
    ///   - done: the operation that failed: `read`, `written`, `opened`.
    init(_ error: any Error, file: String, done: String) {
      if let error = error as? Archive.Failure {
        self = error
        return
      }
      if let value = error as? UnreadableValue {
        self.init(
          "\(file): this archive is damaged: a value in the column '\(value.column)' has another type; see tamis archive verify",
          isDamaged: true)
        return
      }
      guard let failure = error as? DatabaseError else {
        self.init("\(file): the archive cannot be \(done): \(error)")
        return
      }
      switch failure.resultCode {
      case .SQLITE_NOTADB: self.init("\(file): this file is not an archive; choose another with --archive")
      case .SQLITE_CORRUPT: self.init("\(file): this archive is damaged", isDamaged: true)
      case .SQLITE_INTERRUPT:
        self.init(
          "\(file): reading this archive takes more steps than its size explains; it is damaged, or was made to do so")
      case .SQLITE_TOOBIG:
        self.init("\(file): this archive has a value that is much longer than any that tamis writes")
      case .SQLITE_FULL:
        self.init("\(file): the disk is full; what is recorded stays, and the next run does the rest")
        (isDiskFull, isTransient) = (true, true)
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        self.init("\(file): another run is writing this archive; try again later")
        isTransient = true
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_IOERR:
        self.init("\(file): the archive cannot be \(done): \(failure.message ?? "no permission")")
        isTransient = true
      default: self.init("\(file): the archive cannot be \(done): \(failure)")
      }
    }
  }
}
