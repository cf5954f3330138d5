import TamisCore

/// Style sheets that are written into their address: `data:text/css,.a%7Bdisplay:none%7D` (RFC 2397).
enum DataSheet {
  /// Returns the sheet in an address; nil for other addresses.
  static func text(of address: some Collection<UInt8>) -> [UInt8]? {
    let prefix = Array("data:text/css".utf8)
    let address = Array(address)
    guard address.count > prefix.count, zip(address, prefix).allSatisfy({ $0.asciiLowercased == $1 }),
      let comma = address.firstIndex(of: UInt8(ascii: ","))
    else { return nil }
    let data = String(streamSafe: address[(comma + 1)...]).utf8.percentDecoded()
    guard String(streamSafe: address[..<comma]).asciiLowercased().hasSuffix("base64") else { return data }
    return Base64.decode(String(streamSafe: data)).map { Array($0.utf8) }
  }
}
