// How DOMPurify is set to a level, in jsdom as in a browser. At P3 it runs with its defaults, and custom elements.
exports.settings = (level) => level.name === "P3"
  ? {CUSTOM_ELEMENT_HANDLING: {tagNameCheck: () => true, attributeNameCheck: null, allowCustomizedBuiltInElements: false}}
  : {ALLOWED_TAGS: level.tags, ALLOWED_ATTR: level.attributeNames, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false}
