/// The version of the program, as receipts and `tamis --version` name it.
public enum Version {
  /// The number.
  public static let text = "0.1"
}
