/// A link of a feed or an entry.
public struct FeedLink: Sendable, Hashable {
  /// Where it points, resolved against the base in force.
  public var href: String
  /// The relation to the entry (`alternate`, `self`, `via`, `replies`, …), lower case.
  public var rel: String
  /// Media type, nil when not said.
  public var type: String?
  /// Language of the target, nil when not said.
  public var hreflang: String?
  /// The link's own title, nil when not said.
  public var title: String?
  /// Size in bytes, nil when not said or unreadable.
  public var length: Int?
  /// Its other attributes, such as `thr:count`.
  public var attributes: [ExtensionElement.Attribute]

  /// Makes a link.
  public init(
    href: String, rel: String = "alternate", type: String? = nil, hreflang: String? = nil, title: String? = nil,
    length: Int? = nil, attributes: [ExtensionElement.Attribute] = []
  ) {
    self.href = href
    self.rel = rel
    self.type = type
    self.hreflang = hreflang
    self.title = title
    self.length = length
    self.attributes = attributes
  }
}

/// An attached file: RSS `enclosure` or an Atom link with that relation.
public struct Enclosure: Sendable, Hashable {
  /// The URL of the file, resolved.
  public var url: String
  /// Media type, nil when not said.
  public var type: String?
  /// Size in bytes; nil when not said or unreadable.
  public var length: Int?
  /// The title of the file; nil when not said.
  public var title: String?
  /// Its other attributes.
  public var attributes: [ExtensionElement.Attribute]
  /// How many of the entry's links come before it in the document.
  public var linksBefore: Int

  /// Makes an enclosure.
  public init(
    url: String, type: String? = nil, length: Int? = nil, title: String? = nil,
    attributes: [ExtensionElement.Attribute] = [], linksBefore: Int = 0
  ) {
    self.url = url
    self.type = type
    self.length = length
    self.title = title
    self.attributes = attributes
    self.linksBefore = linksBefore
  }
}

/// A picture, audio or video file that Media RSS or iTunes elements name.
public struct MediaObject: Sendable, Hashable {
  /// The element that named it.
  public enum Source: String, Sendable, Hashable {
    /// `media:content`
    case content = "media:content"
    /// `media:thumbnail`
    case thumbnail = "media:thumbnail"
    /// `itunes:image`
    case itunesImage = "itunes:image"
  }

  /// Its URL, resolved.
  public var url: String
  /// The element that named it.
  public var source: Source
  /// Media type, nil when not said.
  public var type: String?
  /// `image`, `audio`, `video`, `document` or `executable`; nil when not said.
  public var medium: String?
  /// Width in pixels, nil when not said or unreadable.
  public var width: Int?
  /// Height in pixels, nil when not said or unreadable.
  public var height: Int?
  /// Its title (`media:title` in it); nil when not said.
  public var title: Markup?
  /// What it shows (`media:description` in it); nil when not said.
  public var description: Markup?
  /// Who made it (`media:credit` in it), trimmed; nil when not said.
  public var credit: String?
  /// The index of its `media:group` in the entry, whose members are versions of one thing; nil when it is in none.
  public var group: Int?
  /// All attributes but the URL, as written: `fileSize`, `duration`, `bitrate` and so on, names in lower case.
  public var attributes: [ExtensionElement.Attribute]

  /// Makes a media object.
  public init(
    url: String, source: Source, type: String? = nil, medium: String? = nil, width: Int? = nil, height: Int? = nil,
    attributes: [ExtensionElement.Attribute] = []
  ) {
    self.url = url
    self.source = source
    self.type = type
    self.medium = medium
    self.width = width
    self.height = height
    self.attributes = attributes
  }
}

/// A person or an organisation.
public struct FeedPerson: Sendable, Hashable {
  /// Name as written, nil when not said.
  public var name: String?
  /// Mail address, nil when not said.
  public var email: String?
  /// Home page, resolved; nil when not said.
  public var url: String?
  /// The text of the feed, when name and address were found in one text.
  public var text: String?

  /// Makes a person.
  public init(name: String? = nil, email: String? = nil, url: String? = nil, text: String? = nil) {
    self.name = name
    self.email = email
    self.url = url
    self.text = text
  }

  /// Whether all members are nil.
  public var isEmpty: Bool { name == nil && email == nil && url == nil }
}

/// A category, tag or keyword.
public struct FeedCategory: Sendable, Hashable {
  /// The term itself.
  public var term: String?
  /// The scheme or domain the term belongs to.
  public var scheme: String?
  /// The name of the term for people.
  public var label: String?

  /// Makes a category.
  public init(term: String?, scheme: String? = nil, label: String? = nil) {
    self.term = term
    self.scheme = scheme
    self.label = label
  }
}

/// A date with the text it was read from.
public struct FeedDate: Sendable, Hashable {
  /// The text in the feed.
  public var source: String
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted; nil when the text cannot be read as a date.
  public var seconds: Int64?
  /// The offset from UTC of the time zone in the text, in seconds; nil when the text has none.
  public var offset: Int?

  /// Makes a date.
  public init(source: String, seconds: Int64?, offset: Int? = nil) {
    self.source = source
    self.seconds = seconds
    self.offset = offset
  }
}

/// An element that the model has no member for.
public struct ExtensionElement: Sendable, Hashable {
  /// Standard prefix and local name in lower case, `dz_voteupcount`; no prefix for the feed formats' own elements.
  public var name: String
  /// The element's text, trimmed.
  public var text: String
  /// Its attributes in document order, names lower-cased.
  public var attributes: [Attribute]

  /// An attribute of an extension element.
  public struct Attribute: Sendable, Hashable {
    /// Name in lower case, with its standard prefix and a colon when it has one.
    public var name: String
    /// Value as given.
    public var value: String

    /// Makes an attribute.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Makes an extension element.
  public init(name: String, text: String, attributes: [Attribute] = []) {
    self.name = name
    self.text = text
    self.attributes = attributes
  }
}

/// The program that wrote a feed.
public struct FeedGenerator: Sendable, Hashable {
  /// Its name, nil when not said.
  public var name: String?
  /// Its home page, resolved; nil when not said.
  public var url: String?
  /// Its version, nil when not said.
  public var version: String?

  /// Makes a generator.
  public init(name: String?, url: String? = nil, version: String? = nil) {
    self.name = name
    self.url = url
    self.version = version
  }
}

/// RSS's `image`, and its `textInput`, which has the same parts.
public struct FeedImage: Sendable, Hashable {
  /// The URL of the picture, resolved.
  public var url: String?
  /// Its title.
  public var title: Markup?
  /// The page it leads to, resolved.
  public var link: String?
  /// What it shows.
  public var description: Markup?
  /// Width in pixels; 0 when the value is not a number, nil when there is none.
  public var width: Int?
  /// Height in pixels, likewise.
  public var height: Int?
  /// The name of the field, for `textInput`.
  public var name: String?

  /// Makes an image without any values.
  public init() {}
}

/// A requested field with its value.
public struct NamedField: Sendable, Hashable {
  /// The name by which it was requested.
  public var name: String
  /// Its value.
  public var value: FieldValue

  /// Makes a field.
  public init(name: String, value: FieldValue) {
    self.name = name
    self.value = value
  }
}

/// The value of a field, of the requested type.
public enum FieldValue: Sendable, Hashable {
  /// Text, trimmed.
  case text(String)
  /// A finite number.
  case number(Double)
  /// A date that could be read.
  case date(FeedDate)
  /// A URL, resolved if there was a base.
  case url(String)

  /// The value as text: a whole number without a fraction, a date as it was written.
  public var text: String {
    switch self {
    case .text(let text), .url(let text): text
    case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
    case .date(let date): date.source
    }
  }
}
