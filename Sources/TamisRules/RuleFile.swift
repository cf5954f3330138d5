import TamisCore
import TamisSanitizer

/// A rules file as it was written, before it is joined with the one it extends.
struct RuleFile {
  /// A list in which a name adds and `-name` takes away what an extended file had.
  struct Names {
    var added: Set<String> = []
    var removed: Set<String> = []

    func applied(to inherited: Set<String>) -> Set<String> {
      inherited.subtracting(removed).union(added)
    }
  }

  var name: String?
  var extends: (name: String, location: SourceLocation)?
  var tidy: Policy.TidyMode?
  var elements: [Policy.Namespace: Names] = [:]
  var drop = Names()
  var attributes: [Policy.Namespace: [String: Names]] = [:]
  var schemes = Names()
  var allowsDataImages: Bool?
  var keepsRelative: Bool?
  var leavesRefusedEmpty: Bool?
  var properties = Names()
  var families = Names()
  var keywords = Names()
  var svgProperties = Names()
  var idPrefix: String?
  var linkRelations: [String]?
  var loadsImagesLazily: Bool?
  var repairsLazyImages: Bool?
  var removesTrackingPixels: Bool?
  var trackingParameters = Names()
  var trackingHosts = Names()
  var linksEmbeds: Bool?
  var readsAMP: Bool?
  var alignsPictures: Bool?
  var makesFigures: Bool?
  var embedProviders: [String: String] = [:]
  var separatesBlocks: Bool?
  var classPrefixes: [String]?

  /// The policy that these rules make on top of another.
  func policy(extending parent: Policy?, fallbackName: String) -> Policy {
    var elements = parent?.elements ?? [:]
    for (namespace, names) in self.elements {
      elements[namespace] = names.applied(to: elements[namespace] ?? [])
    }
    var attributes = parent?.attributes ?? [:]
    for (namespace, byElement) in self.attributes {
      for (element, names) in byElement {
        attributes[namespace, default: [:]][element] = names.applied(to: attributes[namespace]?[element] ?? [])
      }
    }
    var urls = parent?.urls ?? URLRules(schemes: [])
    urls.schemes = schemes.applied(to: urls.schemes)
    urls.allowsDataImages = allowsDataImages ?? urls.allowsDataImages
    urls.keepsRelative = keepsRelative ?? urls.keepsRelative
    urls.leavesRefusedEmpty = leavesRefusedEmpty ?? urls.leavesRefusedEmpty
    return Policy(
      name: name ?? fallbackName, tidy: tidy ?? parent?.tidy ?? .never, elements: elements,
      droppedElements: drop.applied(to: parent?.droppedElements ?? []), attributes: attributes, urls: urls,
      styles: styles(extending: parent?.styles ?? StyleRules()),
      improvements: improvements(extending: parent?.improvements ?? Improvements()))
  }

  private func styles(extending parent: StyleRules) -> StyleRules {
    StyleRules(
      properties: properties.applied(to: parent.properties), families: families.applied(to: parent.families),
      keywords: keywords.applied(to: parent.keywords), svgProperties: svgProperties.applied(to: parent.svgProperties))
  }

  private func improvements(extending parent: Improvements) -> Improvements {
    Improvements(
      idPrefix: idPrefix ?? parent.idPrefix, linkRelations: linkRelations ?? parent.linkRelations,
      loadsImagesLazily: loadsImagesLazily ?? parent.loadsImagesLazily,
      repairsLazyImages: repairsLazyImages ?? parent.repairsLazyImages,
      removesTrackingPixels: removesTrackingPixels ?? parent.removesTrackingPixels,
      trackingParameters: trackingParameters.applied(to: parent.trackingParameters),
      trackingHosts: trackingHosts.applied(to: parent.trackingHosts), linksEmbeds: linksEmbeds ?? parent.linksEmbeds,
      embedProviders: parent.embedProviders.merging(embedProviders) { $1 },
      separatesBlocks: separatesBlocks ?? parent.separatesBlocks, classPrefixes: classPrefixes ?? parent.classPrefixes,
      readsAMP: readsAMP ?? parent.readsAMP, alignsPictures: alignsPictures ?? parent.alignsPictures,
      makesFigures: makesFigures ?? parent.makesFigures)
  }
}
