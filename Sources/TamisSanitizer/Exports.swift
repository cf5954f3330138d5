// The types that a user of the sanitizer needs: its results, and the base URLs.
@_exported public import TamisCore
@_exported public import TamisURL
