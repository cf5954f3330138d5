// The types that a user of the parser needs: the feed that it returns, and URLs.
@_exported public import TamisCore
@_exported public import TamisURL
