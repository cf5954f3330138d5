// The command uses all modules, not only what the library shows.

@_exported public import Tamis
@_exported public import TamisArchive
@_exported public import TamisArticle
@_exported public import TamisCore
@_exported public import TamisExtract
@_exported public import TamisFeed
@_exported public import TamisFetch
@_exported public import TamisSystem
@_exported public import TamisPlanet
@_exported public import TamisSanitizer
@_exported public import TamisSite
@_exported public import TamisURL
