// DOMPurify on jsdom. At P3 it runs with its defaults, and custom elements.
const levels = require("./levels.js")
const {JSDOM} = require("jsdom")
const {settings} = require("./dompurify_settings.js")

const level = levels.asked()
import(require("path").resolve(".build/others/javascript/dompurify.mjs")).then(({default: create}) => {
  const purify = create(new JSDOM("").window)
  levels.answer((html) => purify.sanitize(html, settings(level)))
})
