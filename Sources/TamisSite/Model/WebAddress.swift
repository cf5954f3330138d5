extension String {
  /// Whether a page may lead there: an address of the web, and none that runs or stands for data.
  var isWebAddress: Bool { hasPrefix("https://") || hasPrefix("http://") }
}
