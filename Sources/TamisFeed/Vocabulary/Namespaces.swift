// To add a namespace or an element: the URI with its standard prefix here; an element that means something to the
// model in `foreign` of FeedElement.swift (others stay extensions); a case in Fixtures/Parsing/rss.txt or atom.txt.
// Raise `Pipelines.version` if posts change. A new meaning is also a field of TamisCore/Model/FeedEntry.swift or
// Feed.swift, what is done with it in Reading/FeedBuilder+Fields.swift, its JSON, and for URLs and text
// Tamis/Pipeline/SafeAddresses.swift. JSON Feed: JSONFeed/JSONFeedReading.swift. Podcasting 2.0 and iTunes:
// TamisExtract/Media/PodcastFacts.swift.

import TamisCore

/// The namespaces of feeds, each with the standard prefix used here whatever prefix the document has.
///
/// The list is that of Universal Feed Parser 6.0.14 with nine added (dz, fh, googleplay, pheedo, podcast, source,
/// turbo, webfeeds, yandex); the empty prefix is that of the feed formats themselves.
enum Namespaces {
  /// Returns the standard prefix of a namespace URI, in any case, or nil for an unknown one.
  static func prefix(of uri: String) -> String? {
    let lower = uri.asciiLowercased()
    if let known = prefixes[lower] { return known }
    // Any of UserLand's RSS namespaces is plain RSS.
    return lower.hasPrefix("http://backend.userland.com/rss") ? "" : nil
  }

  private static let prefixes: [String: String] = [
    "http://source.scripting.com/": "source",
    "https://source.scripting.com/": "source",
    "http://turbo.yandex.ru": "turbo",
    "http://www.google.com/schemas/play-podcasts/1.0": "googleplay",
    "http://backend.userland.com/blogchannelmodule": "blogchannel",
    "http://backend.userland.com/creativecommonsrssmodule": "creativecommons",
    "http://backend.userland.com/rss": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "http://creativecommons.org/ns#license": "cc",
    "http://cyber.law.harvard.edu/rss/creativecommonsrssmodule.html": "creativecommons",
    "http://example.com/dtds/podcast-1.0.dtd": "itunes",
    "http://example.com/necho": "",
    "http://example.com/newformat#": "",
    "http://freshmeat.net/rss/fm/": "fm",
    "http://hacks.benhammersley.com/rss/streaming/": "str",
    "http://madskills.com/public/xml/rss/module/pingback/": "pingback",
    "http://madskills.com/public/xml/rss/module/trackback/": "trackback",
    "http://media.tangent.org/rss/1.0/": "audio",
    "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://my.theinfo.org/changed/1.0/rss/": "cp",
    "http://news.yandex.ru": "yandex",
    "http://podlove.org/simple-chapters": "psc",
    "http://postneo.com/icbm/": "icbm",
    "http://prismstandard.org/namespaces/1.2/basic/": "prism",
    "http://purl.org/atom/ns#": "",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/echo/": "",
    "http://purl.org/pie/": "",
    "http://purl.org/rss/1.0/": "",
    "http://purl.org/rss/1.0/modules/aggregation/": "ag",
    "http://purl.org/rss/1.0/modules/annotate/": "annotate",
    "http://purl.org/rss/1.0/modules/company": "co",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://purl.org/rss/1.0/modules/email/": "email",
    "http://purl.org/rss/1.0/modules/event/": "ev",
    "http://purl.org/rss/1.0/modules/image/": "image",
    "http://purl.org/rss/1.0/modules/link/": "l",
    "http://purl.org/rss/1.0/modules/reference/": "ref",
    "http://purl.org/rss/1.0/modules/richequiv/": "reqv",
    "http://purl.org/rss/1.0/modules/rss091#": "",
    "http://purl.org/rss/1.0/modules/search/": "search",
    "http://purl.org/rss/1.0/modules/servicestatus/": "ss",
    "http://purl.org/rss/1.0/modules/slash/": "slash",
    "http://purl.org/rss/1.0/modules/subscription/": "sub",
    "http://purl.org/rss/1.0/modules/syndication/": "sy",
    "http://purl.org/rss/1.0/modules/taxonomy/": "taxo",
    "http://purl.org/rss/1.0/modules/textinput/": "ti",
    "http://purl.org/rss/1.0/modules/threading/": "thr",
    "http://purl.org/rss/1.0/modules/wiki/": "wiki",
    "http://purl.org/syndication/history/1.0": "fh",
    "http://rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "http://schemas.pocketsoap.com/rss/mydescmodule/": "szf",
    "http://schemas.xmlsoap.org/soap/envelope/": "soap",
    "http://search.yahoo.com/mrss": "media",
    "http://search.yahoo.com/mrss/": "media",
    "http://web.resource.org/cc/": "cc",
    "http://webfeeds.org/rss/1.0": "webfeeds",
    "http://webns.net/mvcb/": "admin",
    "http://wellformedweb.org/commentapi/": "wfw",
    "http://www.developerzone.com/modules/dz/1.0": "dz",
    "http://www.georss.org/georss": "georss",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://www.opengis.net/gml": "gml",
    "http://www.pheedo.com/namespace/pheedo": "pheedo",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://www.w3.org/1999/xhtml": "xhtml",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs",
    "http://www.w3.org/2003/01/geo/wgs84_pos#": "geo",
    "http://www.w3.org/2005/atom": "",
    "http://www.w3.org/xml/1998/namespace": "xml",
    "http://xmlns.com/foaf/0.1/": "foaf",
    "https://podcastindex.org/namespace/1.0": "podcast",
    "uri/of/echo/namespace#": "",
  ]
}
