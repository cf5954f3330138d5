// What the levels of the suite allow, from levels.json, and the loop that every adapter in JavaScript runs.
const lists = require("./levels.json")
const names = ["P0", "P1", "P2", "P3"]
const words = (text) => (text || "").split(" ").filter(Boolean)

// The level that the command names. Ends with exit code 64 when the program cannot be set to it.
exports.asked = (...possible) => {
  const name = process.argv.at(-1)
  if (!possible.length) possible = names
  if (!possible.includes(name)) {
    console.error(`it can be set to ${possible.join(", ")}, not to ${name}`)
    process.exit(64)
  }
  const level = {name, tags: [], attributes: {}, schemes: []}
  for (const lower of names.slice(1, names.indexOf(name) + 1)) {
    level.tags.push(...words(lists[lower].tags))
    level.schemes.push(...words(lists[lower].schemes))
    for (const [tag, allowed] of Object.entries(lists[lower].attributes)) {
      level.attributes[tag] = [...(level.attributes[tag] || []), ...words(allowed)]
    }
  }
  // For programs that do not ask on which element an attribute stands.
  level.attributeNames = [...new Set(Object.values(level.attributes).flat())]
  return level
}

// What programs say goes to standard error.
console.log = console.error

// Gives each fragment to `clean`: a line of JSON in, a line out. What it throws is an error of that fragment alone.
exports.answer = (clean) => {
  require("readline").createInterface({input: process.stdin}).on("line", (line) => {
    const reply = {}
    try {
      const fragment = JSON.parse(line)
      reply.id = fragment.id
      reply.html = clean(fragment.html)
    } catch (error) { reply.error = String(error) }
    process.stdout.write(JSON.stringify(reply) + "\n")
  })
}
