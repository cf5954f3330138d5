import TamisCore

/// The meaning of an element in a feed, independent of its format and prefix.
enum FeedElement: Equatable {
  // Containers.
  case root, channel, entry, image, textInput, source, person(PersonRole), mediaGroup
  /// An element that only encloses others.
  case wrapper
  // Text that may hold markup.
  case text(TextField)
  // The rest, by the kind of content.
  case link, guid, id, language, date(DateField), category, keywords(scheme: String?), enclosure, comments, generator
  case url, personName, personEmail, personURL, personText(PersonRole)
  case logo, icon, itunesImage, license, mediaContent, mediaThumbnail, width, height
  /// Text that is a URL, kept under its own name.
  case address
  /// GeoRSS: a shape and its coordinates in one element.
  case place(Feed.Place.Shape)
  /// GML: a shape around its coordinates, and the coordinates.
  case geometry(Feed.Place.Shape), coordinates
  case chapters, chapter
  /// `itunes:explicit` and `itunes:block`, kept under their own names and never part of an image.
  case explicit, block
  /// An element that the model has no field for.
  case other

  enum TextField: Equatable {
    case title, subtitle, summary, description, content, rights, info
    /// The title of Media RSS and of Dublin Core, and the description of Media RSS, used only when the format's own are
    /// missing.
    case otherTitle, mediaDescription
    /// A full text of another vocabulary, kept under its own name too.
    case fullText
  }

  enum DateField: Equatable {
    case published, updated, created, expired
    /// Dublin Core's `valid`: a start and an end in one text.
    case validity
  }

  enum PersonRole: Equatable {
    case author, contributor, publisher
  }

  /// Creates the meaning of a name, given as its standard prefix and its local name in lower case.
  init(prefix: String, local: String) {
    self = prefix.isEmpty ? .native(local) : .foreign(prefix: prefix, local: local)
  }

  /// Returns the meaning of an element of RSS or Atom themselves.
  private static func native(_ local: String) -> FeedElement {
    switch local {
    case "rss", "feed", "rdf": .root
    case "channel": .channel
    case "item", "entry": .entry
    case "image": .image
    case "textinput": .textInput
    case "source": .source
    case "author": .person(.author)
    case "contributor": .person(.contributor)
    case "managingeditor": .personText(.author)
    case "webmaster": .personText(.publisher)
    case "name": .personName
    case "email": .personEmail
    case "uri", "homepage": .personURL
    case "url": .url
    case "title": .text(.title)
    case "subtitle", "tagline": .text(.subtitle)
    case "summary": .text(.summary)
    case "description": .text(.description)
    case "content", "fullitem", "body": .text(.content)
    case "rights", "copyright": .text(.rights)
    case "info": .text(.info)
    case "link": .link
    case "guid": .guid
    case "width": .width
    case "height": .height
    case "docs", "newlocation": .address
    case "abstract": .text(.description)
    case "id": .id
    case "language": .language
    case "category", "keywords": .category
    case "tags": .keywords(scheme: nil)
    case "pubdate", "published", "issued": .date(.published)
    case "updated", "modified", "lastbuilddate": .date(.updated)
    case "created": .date(.created)
    case "expirationdate": .date(.expired)
    case "enclosure": .enclosure
    case "comments": .comments
    case "generator": .generator
    case "logo": .logo
    case "icon": .icon
    default: .other
    }
  }

  /// Returns the meaning of an element of another vocabulary.
  private static func foreign(prefix: String, local: String) -> FeedElement {
    switch (prefix, local) {
    case ("rdf", "rdf"): .root
    case ("dc", "title"): .text(.otherTitle)
    case ("dc", "description"): .text(.description)
    case ("dc", "rights"): .text(.rights)
    case ("dc", "creator"), ("dc", "author"), ("itunes", "author"): .personText(.author)
    case ("dc", "contributor"): .personText(.contributor)
    case ("dc", "publisher"): .personText(.publisher)
    case ("dc", "subject"): .category
    case ("dc", "language"): .language
    case ("dc", "date"), ("dcterms", "modified"): .date(.updated)
    case ("dcterms", "issued"): .date(.published)
    case ("dcterms", "created"): .date(.created)
    case ("dcterms", "valid"): .date(.validity)
    case ("cc", "license"), ("creativecommons", "license"): .license
    case ("wfw", "comment"), ("wfw", "commentrss"): .address
    case ("georss", "point"): .place(.point)
    case ("georss", "line"): .place(.line)
    case ("georss", "polygon"): .place(.polygon)
    case ("georss", "box"): .place(.box)
    case ("gml", "point"): .geometry(.point)
    case ("gml", "linestring"): .geometry(.line)
    case ("gml", "polygon"): .geometry(.polygon)
    case ("gml", "pos"), ("gml", "poslist"): .coordinates
    case ("georss", "where"), ("gml", "exterior"), ("gml", "linearring"): .wrapper
    case ("psc", "chapters"): .chapters
    case ("psc", "chapter"): .chapter
    case ("itunes", "explicit"): .explicit
    case ("itunes", "block"): .block
    case ("feedburner", "browserfriendly"): .text(.info)
    case ("admin", "generatoragent"): .generator
    case ("rdf", "li"), ("rdf", "seq"): .wrapper
    case ("content", "encoded"), ("xhtml", "body"): .text(.content)
    case ("itunes", "subtitle"): .text(.subtitle)
    case ("itunes", "summary"): .text(.summary)
    case ("itunes", "owner"): .person(.publisher)
    case ("itunes", "name"): .personName
    case ("itunes", "email"): .personEmail
    case ("itunes", "category"): .category
    case ("itunes", "keywords"): .keywords(scheme: "http://www.itunes.com/")
    case ("itunes", "image"), ("itunes", "link"): .itunesImage
    case ("media", "group"): .mediaGroup
    case ("media", "content"): .mediaContent
    case ("media", "thumbnail"): .mediaThumbnail
    case ("media", "title"), ("itunes", "title"): .text(.otherTitle)
    case ("media", "description"): .text(.mediaDescription)
    case ("yandex", "full-text"), ("turbo", "content"), ("dcterms", "abstract"), ("googleplay", "description"):
      .text(.fullText)
    case ("media", "category"): .category
    case ("media", "keywords"): .keywords(scheme: nil)
    default: .other
    }
  }

  /// Whether the text is a value of which a part means nothing, such as a URL.
  var isWhole: Bool {
    switch self {
    case .link, .guid, .id, .enclosure, .comments, .date: true
    default: false
    }
  }

  /// Returns the kind of text in a field when the document does not declare one.
  func defaultKind(local: String) -> Feed.Markup.Kind {
    switch self {
    case .text(.description): local == "abstract" ? .text : .html
    case .text(.content): local == "content" ? .text : .html
    case .text(.fullText): .html
    default: .text
    }
  }
}
