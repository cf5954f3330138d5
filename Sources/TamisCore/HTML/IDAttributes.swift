/// The attributes whose values are ids of elements in the same document.
///
/// They are those of the HTML Standard's index of attributes, of WAI-ARIA 1.2 (6.6) and of MathML 3 (2.1.6, 3.2.5.2).
/// `usemap`, URLs of the form `#name` and `url(#name)` refer to elements too.
package enum IDAttributes {
  /// The id of the element itself.
  package static let identifiers: Set = ["id", "name"]
  /// References in every namespace.
  package static let references: Set = [
    "aria-activedescendant", "aria-controls", "aria-describedby", "aria-details", "aria-errormessage", "aria-flowto",
    "aria-labelledby", "aria-owns",
  ]
  /// References in HTML.
  package static let inHTML: Set = ["headers", "itemref", "list"]
  /// References in MathML.
  package static let inMath: Set = ["indenttarget", "xref"]
  /// References in HTML to the elements on which a click acts, such as the form that a button submits.
  package static let controls: Set = [
    "anchor", "commandfor", "contextmenu", "for", "form", "interestfor", "invoketarget", "popovertarget",
  ]
}
