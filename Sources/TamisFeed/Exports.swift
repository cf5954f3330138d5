// What a user of the parser names besides its own types.
@_exported public import protocol TamisCore.ByteReader
@_exported public import protocol TamisCore.ByteSource
@_exported public import struct TamisCore.Feed
@_exported public import struct TamisCore.Finding
@_exported public import struct TamisCore.HeaderField
@_exported public import struct TamisCore.Limits
@_exported public import struct TamisCore.ReadFailure
@_exported public import struct TamisURL.WebURL
