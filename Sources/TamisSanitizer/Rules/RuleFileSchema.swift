/// The JSON Schema of rules files, generated from the table of settings.
package enum RuleFileSchema {
  /// A JSON Schema (2020-12) of a rules file.
  package static var json: String {
    let sections = PolicySetting.Section.allCases.map { section in
      let rows = rows(of: section).map { "        " + $0 }.joined(separator: ",\n")
      return """
            "\(section.rawValue)": {
              "type": ["object", "null"],
              "additionalProperties": false,
              "properties": {
        \(rows)
              }
            }
        """
    }
    let top = rows(of: nil).map { "    " + $0 }
    let modes = Policy.TidyMode.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return ##"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sanitizing rules",
        "type": "object",
        "additionalProperties": false,
        "properties": {
          "name": {"type": "string"},
          "extends": {"type": "string"},
          "tidy": {"enum": [\##(modes)]},
          "elements": {"$ref": "#/$defs/elements"},
          "attributes": {"$ref": "#/$defs/attributes"},
      \##((top + sections).joined(separator: ",\n"))
        },
        "$defs": {
          "names": {"anyOf": [{"type": "string"}, {"type": ["array", "null"], "items": {"type": "string"}}]},
          "namespaces": {"enum": ["html", "svg", "math"]},
          "elements": {
            "type": ["object", "null"],
            "propertyNames": {"$ref": "#/$defs/namespaces"},
            "additionalProperties": {"$ref": "#/$defs/names"}
          },
          "attributes": {
            "type": ["object", "null"],
            "propertyNames": {"$ref": "#/$defs/namespaces"},
            "additionalProperties": {
              "type": ["object", "null"],
              "additionalProperties": {"$ref": "#/$defs/names"}
            }
          }
        }
      }

      """##
  }

  private static func rows(of section: PolicySetting.Section?) -> [String] {
    PolicySetting.all.filter { $0.section == section }.map { "\"\($0.key)\": \(schema(of: $0.value))" }
  }

  /// A schema of values by element and attribute.
  private static func byAttribute(_ value: String) -> String {
    let attributes = ##"{"type": ["object", "null"], "additionalProperties": \##(value)}"##
    return ##"{"type": ["object", "null"], "additionalProperties": \##(attributes)}"##
  }

  private static func schema(of value: PolicySetting.Value) -> String {
    switch value {
    case .choice(_, yes: "true", no: "false"): #"{"enum": [true, false, "yes", "no"]}"#
    case .choice(_, let yes, let no): #"{"enum": ["\#(yes)", "\#(no)"]}"#
    case .text: #"{"type": ["string", "null"]}"#
    case .list, .optionalList, .names: ##"{"$ref": "#/$defs/names"}"##
    case .providers: ##"{"type": ["object", "null"], "additionalProperties": {"$ref": "#/$defs/names"}}"##
    case .listsByAttribute: byAttribute(##"{"$ref": "#/$defs/names"}"##)
    case .textsByAttribute: byAttribute(##"{"type": ["string", "number", "boolean"]}"##)
    }
  }
}
