import TamisSanitizer

var policy = Policy.reading
policy.allow("search")
var hooks = Sanitizer.Hooks(version: "1")
hooks.rewriteURL = { url, use in use.purpose == .image ? WebURL("https://proxy.example/?\(url.href)") : url }
hooks.handleElement = { $0.name == "iframe" ? .replace(html: "<figure>\($0["title"] ?? "")</figure>") : .followPolicy }
let sanitizer = try Sanitizer(policy: policy, hooks: hooks)
let html =
  #"<search>a<img src="b.png" alt="c"></search><iframe title="Film" src="//d.example"></iframe><script>e</script>"#
print(sanitizer.sanitize(html, base: WebURL("https://feed.example/")).html)
