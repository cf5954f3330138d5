import Hummingbird
import TamisSanitizer

var policy = Policy.strict
policy.allow("img")
policy.allow(attributes: "src", "alt", on: "img")
policy.urls.schemesByAttribute["img"] = ["src": ["https"]]
policy.forcedAttributes = ["a": ["target": "_blank"], "img": ["referrerpolicy": "no-referrer"]]
var hooks = Sanitizer.Hooks(version: "1")
let proxy = try WebURL(validating: "https://proxy.example/")
hooks.rewriteURL = { url, use in use.purpose.isRequested ? proxy.addingQueryParameter("u", url.href) : url }
let sanitizer = try Sanitizer(policy: policy, hooks: hooks)

let router = Router()
router.post("comments") { request, _ in
  sanitizer.sanitizedHTML(of: String(buffer: try await request.body.collect(upTo: 1 << 20))).string
}
router.post("echo") { request, _ in String(buffer: try await request.body.collect(upTo: 1 << 20)) }
let port = Int(CommandLine.arguments.dropFirst().first ?? "") ?? 8080
try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))).runService()
