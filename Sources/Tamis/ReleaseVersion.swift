/// The release of the package.
public enum ReleaseVersion {
  /// The version, as `tamis --version` and the answers to records have it.
  public static let current = "0.1"
}
