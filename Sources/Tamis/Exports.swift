@_exported public import TamisCore
@_exported public import TamisExtract
@_exported public import TamisFeed
@_exported public import TamisIndex
@_exported public import TamisRules
@_exported public import TamisSanitizer
@_exported public import TamisSite
@_exported public import TamisURL
