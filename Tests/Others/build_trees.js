// What a browser builds of a fragment, written by the rules of the HTML Standard, names in lower case.
(markup) => {
  const raw = new Set("style script xmp iframe noembed noframes plaintext noscript".split(" "))
  const isVoid = new Set("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split(" "))
  const html = "http://www.w3.org/1999/xhtml"
  // Names in forms hide properties, so that these are taken from where they are defined.
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get
  const [children, type, name, parent, space, attributes] = [
    getter(Node, "childNodes"), getter(Node, "nodeType"), getter(Node, "nodeName"), getter(Node, "parentNode"),
    getter(Element, "namespaceURI"), getter(Element, "attributes")]
  const isHTML = (node) => type.call(node) === 1 && space.call(node) === html
  const low = (node) => name.call(node).toLowerCase()
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
    .replace(/\u00a0/g, "&nbsp;").replace(/\r/g, "&#13;")
  const list = (node) => [...children.call(isHTML(node) && low(node) === "template" ? node.content : node)]
  const write = (node) => {
    if (type.call(node) === 3) {
      const outer = parent.call(node)
      return outer && isHTML(outer) && raw.has(low(outer)) ? node.data : escape(node.data)
    }
    if (type.call(node) === 8) return "<!--" + node.data + "-->"
    if (type.call(node) !== 1) return "[node of type " + type.call(node) + "]"
    let start = "<" + low(node)
    for (const attribute of attributes.call(node)) {
      start += " " + attribute.name.toLowerCase() + '="' + escape(attribute.value).replace(/"/g, "&quot;") + '"'
    }
    const inner = list(node).map(write).join("")
    // The first line feed in these is dropped when they are read.
    const feed = isHTML(node) && ["pre", "listing", "textarea"].includes(low(node)) && inner.startsWith("\n") ? "\n" : ""
    return start + ">" + feed + (isHTML(node) && isVoid.has(low(node)) ? "" : inner + "</" + low(node) + ">")
  }
  const place = document.createElement("div")
  place.innerHTML = markup
  const nodes = list(place)
  return nodes.map(write).join("")
}
