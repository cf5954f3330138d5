// What a user of the sanitizer names besides its own types; `docs/api.txt` lists what is public.
@_exported public import struct TamisCore.Finding
@_exported public import struct TamisCore.InvalidRules
@_exported public import struct TamisCore.Limits
@_exported public import struct TamisCore.SanitizedHTML
@_exported public import struct TamisURL.WebURL
