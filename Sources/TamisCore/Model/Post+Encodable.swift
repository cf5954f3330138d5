extension Post: Encodable {
  private enum CodingKeys: String, CodingKey { case id, content, links }

  /// Writes the members of the card and of the details, the id, the body as markup, and its links, by their names.
  public func encode(to encoder: any Encoder) throws {
    try card.encode(to: encoder)
    try details.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encode(content, forKey: .content)
    try container.encode(links, forKey: .links)
  }
}
