// The names of the library are nobody else's: each of these types is found without its module before it.

import Foundation
import HTTPTypes
import SystemPackage
import Tamis

func names(
  _ path: FilePath, _ request: HTTPRequest, _ response: HTTPResponse, _ date: Date, _ feed: Feed, _ post: Post,
  _ site: Site.Theme, _ base: WebURL
) -> [Any] { [path, request, response, date, feed, post, site, base] }
