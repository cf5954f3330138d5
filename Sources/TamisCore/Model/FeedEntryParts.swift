extension Feed {
  /// A link of a feed or an entry.
  public struct Link: Sendable, Hashable, Encodable {
    /// The target, resolved against the base URL in force.
    public var href: String
    /// The relation to the entry (`alternate`, `self`, `via`, `replies`, …), in lower case.
    public var rel: String
    /// The media type; nil when not given.
    public var type: String?
    /// The language of the target; nil when not given.
    public var hreflang: String?
    /// The link's own title; nil when not given.
    public var title: String?
    /// The size in bytes; nil when not given or unreadable.
    public var length: Int?
    /// The other attributes, such as `thr:count`.
    public var attributes: [Feed.ExtensionElement.Attribute]

    /// Makes a link.
    public init(
      href: String, rel: String = "alternate", type: String? = nil, hreflang: String? = nil, title: String? = nil,
      length: Int? = nil, attributes: [Feed.ExtensionElement.Attribute] = []
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
}

extension Feed {
  /// An attached file: RSS `enclosure` or an Atom link with that relation.
  public struct Enclosure: Sendable, Hashable, Encodable {
    /// The URL of the file, resolved.
    public var url: String
    /// The media type; nil when not given.
    public var type: String?
    /// The size in bytes; nil when not given or unreadable.
    public var length: Int?
    /// The title of the file; nil when not given.
    public var title: String?
    /// The other attributes.
    public var attributes: [Feed.ExtensionElement.Attribute]
    /// The number of the entry's links that come before it in the document.
    package var linksBefore: Int

    /// Makes an enclosure.
    public init(
      url: String, type: String? = nil, length: Int? = nil, title: String? = nil,
      attributes: [Feed.ExtensionElement.Attribute] = [], linksBefore: Int = 0
    ) {
      self.url = url
      self.type = type
      self.length = length
      self.title = title
      self.attributes = attributes
      self.linksBefore = linksBefore
    }
  }
}

extension Feed {
  /// A picture, audio or video file that Media RSS or iTunes elements name.
  public struct MediaObject: Sendable, Hashable, Encodable {
    /// The element that names a media object.
    public enum Source: String, Sendable, Hashable, Encodable {
      /// The element `media:content`.
      case content = "media:content"
      /// The element `media:thumbnail`.
      case thumbnail = "media:thumbnail"
      /// The element `itunes:image`.
      case itunesImage = "itunes:image"
    }

    /// The URL, resolved.
    public var url: String
    /// The element that named it.
    public var source: Source
    /// The media type; nil when not given.
    public var type: String?
    /// `image`, `audio`, `video`, `document` or `executable`; nil when not given.
    public var medium: String?
    /// The width in pixels; nil when not given or unreadable.
    public var width: Int?
    /// The height in pixels; nil when not given or unreadable.
    public var height: Int?
    /// The title (`media:title` in it); nil when not given.
    public var title: Feed.Markup?
    /// The description (`media:description` in it); nil when not given.
    public var description: Feed.Markup?
    /// The creator (`media:credit` in it), trimmed; nil when not given.
    public var credit: String?
    /// The index of its `media:group` in the entry, whose members are versions of one object; nil when it is in none.
    public var group: Int?
    /// The attributes except the URL, as written: `fileSize`, `duration`, `bitrate` and so on, names in lower case.
    public var attributes: [Feed.ExtensionElement.Attribute]

    /// Makes a media object.
    public init(
      url: String, source: Source, type: String? = nil, medium: String? = nil, width: Int? = nil, height: Int? = nil,
      attributes: [Feed.ExtensionElement.Attribute] = []
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
}

extension Feed {
  /// A person or an organisation.
  public struct Person: Sendable, Hashable, Encodable {
    /// The name as written; nil when not given.
    public var name: String?
    /// The mail address; nil when not given.
    public var email: String?
    /// The home page, resolved; nil when not given.
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
    package var isEmpty: Bool { name == nil && email == nil && url == nil }
  }
}

extension Feed {
  /// A category, tag or keyword.
  public struct Category: Sendable, Hashable, Encodable {
    /// The term itself.
    public var term: String?
    /// The scheme or domain the term belongs to.
    public var scheme: String?
    /// The label of the term for display.
    public var label: String?

    /// Makes a category.
    public init(term: String?, scheme: String? = nil, label: String? = nil) {
      self.term = term
      self.scheme = scheme
      self.label = label
    }
  }
}

extension Feed {
  /// A date with the text it was read from.
  public struct Timestamp: Sendable, Hashable, Encodable {
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
}

extension Feed {
  /// An element that the model has no member for.
  public struct ExtensionElement: Sendable, Hashable, Encodable {
    /// The standard prefix and local name in lower case, `dz_voteupcount`; no prefix for the feed formats' own
    /// elements.
    public var name: String
    /// The element's text, trimmed.
    public var text: String
    /// The attributes in document order, with names in lower case.
    public var attributes: [Attribute]

    /// An attribute of an extension element.
    public struct Attribute: Sendable, Hashable, Encodable {
      /// The name in lower case, with its standard prefix and a colon when it has one.
      public var name: String
      /// The value as given.
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
}

extension Feed {
  /// The program that wrote a feed.
  public struct Generator: Sendable, Hashable, Encodable {
    /// The name; nil when not given.
    public var name: String?
    /// The home page, resolved; nil when not given.
    public var url: String?
    /// The version; nil when not given.
    public var version: String?

    /// Makes a generator.
    public init(name: String?, url: String? = nil, version: String? = nil) {
      self.name = name
      self.url = url
      self.version = version
    }
  }
}

extension Feed {
  /// The RSS `image`, or the `textInput`, which has the same parts.
  public struct Image: Sendable, Hashable, Encodable {
    /// The URL of the picture, resolved.
    public var url: String?
    /// The title.
    public var title: Feed.Markup?
    /// The page that the picture links to, resolved.
    public var link: String?
    /// The description.
    public var description: Feed.Markup?
    /// The width in pixels; 0 when the value is not a number, nil when there is none.
    public var width: Int?
    /// The height in pixels; 0 when the value is not a number, nil when there is none.
    public var height: Int?
    /// The name of the field, for `textInput`.
    public var name: String?

    /// Makes an image without any values.
    public init() {}
  }
}

extension Feed {
  /// A requested field with its value.
  public struct Field: Sendable, Hashable, Encodable {
    /// The name under which the field was requested.
    public var name: String
    /// The value.
    public var value: Feed.FieldValue

    /// Makes a field.
    public init(name: String, value: Feed.FieldValue) {
      self.name = name
      self.value = value
    }
  }
}

extension Feed {
  /// The value of a field, of the requested type.
  public enum FieldValue: Sendable, Hashable {
    /// Text, trimmed.
    case text(String)
    /// A finite number.
    case number(Double)
    /// A date that could be read.
    case date(Feed.Timestamp)
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
}

extension Feed.FieldValue: Encodable {
  /// Writes the value as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
