// The types that users of the parser need: the feed that it returns, and URLs.
@_exported public import TamisCore
@_exported public import TamisURL
