#!/usr/bin/env python3
"""Scores what articles keep of code, formulas and tables, on pages of fifteen templates whose content is known.

usage: structure.py TAMIS [--pages N] [--seed N] [--template NAME ...] [--show N] [--keep FOLDER] [--peer trafilatura]

Documents are made of sentences, formulas, tables, and code of Python's own library, and written as pages: by Sphinx, MkDocs Material and Pelican
themselves, and in the markup of twelve others (`TEMPLATES`), with their bars, lists of pages and footers, and with their highlighters' tokens, numbers of
lines and buttons. What each page says of code and formulas is compared by edit distance, its tables by TEDS (tree edit distance): 1 is all there and
nothing else, as WebMainBench counts. Exit code 1 when a mean is below FLOORS. KaTeX is Debian's; a peer's HTML has no formulas to compare.
"""
import argparse
import collections
import html
import inspect
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import apted
import html5lib
import pygments
import pygments.formatters
import pygments.lexers
from pygments.token import Token
from rapidfuzz.distance import Levenshtein

escape = html.escape

# MARK: - Documents

WORDS = ("harbour gate keeper ship pilot tide pump lock basin quay crane rope sluice winter morning water level clock tower barge council freight "
         "signal lantern anchor channel engine valve gauge").split()
VERBS = "opens closes measures carries waits moves holds turns reads writes lowers lifts counts keeps shows".split()
FORMULAS = [
    r"x^2 + y^2 = z^2", r"\frac{a+b}{2}", r"\sum_{i=1}^{n} i = \frac{n(n+1)}{2}", r"\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", r"\alpha \le \beta", r"\sqrt[3]{x}", r"\lim_{n \to \infty} \left(1 + \frac{1}{n}\right)^n = e",
    r"f(x) = \begin{cases} 1 & x > 0 \\ 0 & x \le 0 \end{cases}", r"\hat{y} = X\beta + \varepsilon", r"\nabla \cdot E = \frac{\rho}{\varepsilon_0}",
    r"P(A \mid B) = \frac{P(B \mid A)\,P(A)}{P(B)}", r"\mathbb{R}^n", r"\log_2 n", r"O(n \log n)", r"\bar{x} = \frac{1}{n}\sum_{i=1}^n x_i",
    r"e^{i\pi} + 1 = 0", r"\mathbf{v} \times \mathbf{w}", r"\binom{n}{k}", r"a_{n+1} = a_n + a_{n-1}", r"\det A = ad - bc", r"\|x\|_2", r"\theta_{t+1} = \theta_t - \eta \nabla L",
]


class Document:
    """A title and blocks: ("heading", text), ("text", [text or formula]), ("code", language, source), ("formula", tex), ("table", caption, rows), ("list", items)."""

    def __init__(self, number, seed, sources):
        self.chance = random.Random(f"{seed} {number}")
        self.number, self.title = number, f"The {self.word()} that {self.verb()} the {self.word()}"
        self.blocks = []
        for _ in range(self.chance.randint(3, 5)):
            self.blocks.append(("heading", f"{self.word().capitalize()} and {self.word()}"))
            self.blocks.append(("text", self.prose(2)))
            for _ in range(self.chance.randint(1, 3)):
                self.blocks.append(self.chance.choice([self.code, self.code, self.formula, self.table, self.list])(sources))
                if self.chance.random() < 0.8:
                    self.blocks.append(("text", self.prose(1)))
        self.blocks.append(("text", self.prose(2)))

    def word(self):
        return self.chance.choice(WORDS)

    def verb(self):
        return self.chance.choice(VERBS)

    def sentence(self):
        return (f"The {self.word()} of the {self.word()} {self.verb()} the {self.word()} when the {self.word()} {self.verb()}, and the "
                f"{self.word()} {self.verb()} for {self.chance.randint(2, 90)} minutes in the {self.word()}.")

    def prose(self, least):
        parts = []
        for _ in range(self.chance.randint(least, 4)):
            if self.chance.random() < 0.25:
                parts += [f"Where the {self.word()} is ", ("tex", self.chance.choice(FORMULAS)), f", the {self.word()} {self.verb()}. "]
            parts.append(self.sentence() + " ")
        return parts

    def code(self, sources):
        kind = self.chance.randrange(6)
        if kind == 0:
            return "code", "bash", self.chance.choice(["pip install harbour", "make site", "git clone https://example.org/a.git\ncd a\nmake", "docker run --rm -it harbour"])
        if kind == 1:
            value = {self.word(): [self.chance.randint(1, 9), None, {self.word(): self.sentence()[:30]}], self.word() + "s": True}
            return "code", "json", json.dumps(value, indent=self.chance.choice([2, 4]))
        lines = self.chance.choice(sources)
        start = self.chance.randrange(max(1, len(lines) - 30))
        part = lines[start:start + self.chance.randint(3, 24)]
        while part and not part[0].strip():
            part.pop(0)
        while part and not part[-1].strip():
            part.pop()
        indent = min((len(line) - len(line.lstrip()) for line in part if line.strip()), default=0)
        return "code", "python", "\n".join(line[indent:].rstrip() for line in part) or "pass"

    def formula(self, sources):
        return "formula", self.chance.choice(FORMULAS)

    def table(self, sources):
        columns = self.chance.randint(2, 5)
        cell = lambda: self.chance.choice([self.word, lambda: str(self.chance.randint(0, 9999)), lambda: f"{self.word()} {self.verb()}", lambda: f"{self.chance.random():.2f}"])()
        rows = [[self.word().capitalize() for _ in range(columns)]] + [[cell() for _ in range(columns)] for _ in range(self.chance.randint(2, 8))]
        return "table", f"The {self.word()} by {self.word()}", rows

    def list(self, sources):
        return "list", [self.sentence() if self.chance.random() < 0.5 else f"the {self.word()} {self.verb()}" for _ in range(self.chance.randint(2, 6))]

    @property
    def codes(self):
        return [block[2] for block in self.blocks if block[0] == "code"]

    @property
    def formulas(self):
        found = []
        for block in self.blocks:
            found += [block[1]] if block[0] == "formula" else [part[1] for part in block[1] if part[0] == "tex"] if block[0] == "text" else []
        return found

    @property
    def tables(self):
        return [block[2] for block in self.blocks if block[0] == "table"]


def python_sources():
    """The lines of modules that every Python has."""
    modules = [argparse, collections, html, inspect, json, pathlib, random, subprocess, tempfile]
    return [inspect.getsource(module).split("\n")[40:] for module in modules]


def katex(formulas):
    """What KaTeX makes of each formula: by TeX and whether it stands alone."""
    program = """const katex = require('/usr/share/nodejs/katex/dist/katex.js');
    const list = JSON.parse(require('fs').readFileSync(0));
    console.log(JSON.stringify(list.map(([tex, displayMode]) => katex.renderToString(tex, {displayMode}))))"""
    wanted = [(tex, alone) for tex in formulas for alone in (False, True)]
    made = subprocess.run(["node", "-e", program], input=json.dumps(wanted), capture_output=True, text=True, check=True).stdout
    return dict(zip(wanted, json.loads(made)))


# MARK: - Highlighters

KINDS = [(Token.Comment, "comment"), (Token.Literal.String, "string"), (Token.Literal.Number, "number"), (Token.Keyword, "keyword"),
         (Token.Name.Function, "function"), (Token.Name.Class, "type"), (Token.Name.Builtin, "builtin"), (Token.Operator, "operator"),
         (Token.Punctuation, "punctuation")]


def tokens(source, language):
    """The lines of a source, each a list of (kind or None, text)."""
    lines = [[]]
    for token, text in pygments.lexers.get_lexer_by_name(language, stripnl=False, ensurenl=False).get_tokens(source):
        kind = next((name for parent, name in KINDS if token in parent), None)
        for index, part in enumerate(text.split("\n")):
            if index:
                lines.append([])
            if part:
                lines[-1].append((kind, part))
    return lines


def highlighted(source, language, classes):
    """The lines with a `span` a token; `classes` makes its attributes of a kind."""
    return ["".join(f"<span {classes(kind)}>{escape(text, False)}</span>" if kind and classes(kind) else escape(text, False) for kind, text in line)
            for line in tokens(source, language)]


SHORT = {"comment": "c1", "string": "s1", "number": "mi", "keyword": "k", "function": "nf", "type": "nc", "builtin": "nb", "operator": "o", "punctuation": "p"}
short = lambda kind: f'class="{SHORT[kind]}"'
hljs = lambda kind: f'class="hljs-{dict(function="title", builtin="built_in").get(kind, kind)}"' if kind not in ("operator", "punctuation") else ""
prism = lambda kind: f'class="token {dict(type="class-name").get(kind, kind)}"'
pandoc = lambda kind: f'class="{dict(comment="co", string="st", number="dv", keyword="kw", function="fu", type="bu", builtin="bu", operator="op").get(kind, "")}"' if kind != "punctuation" else ""
chroma = lambda kind: f'class="{SHORT[kind]}"'
shiki = lambda kind: f'style="color:#{sum(map(ord, kind)) * 977 % 0xFFFFFF:06x}"'


# MARK: - Templates

class Template:
    """The markup of a program: that of the parts of a document, and of the page around them."""

    def __init__(self, katex, number):
        self.katex, self.number = katex, number

    def page(self, document):
        body = "\n".join(self.block(block) for block in document.blocks)
        head = f'<meta charset="utf-8"><title>{escape(document.title)} - Harbour</title>{self.head}'
        return f"<!DOCTYPE html><html lang=en><head>{head}</head><body>{self.around(document, body)}</body></html>"

    head = ""
    bar = '<nav class="nav"><a href="/">Harbour</a> <ul><li><a href="/posts/">Posts</a></li><li><a href="/tags/">Tags</a></li><li><a href="/about/">About</a></li></ul></nav>'
    foot = '<footer class="footer"><p>© 2025 Harbour. Powered by a program.</p><ul><li><a href="/feed.xml">RSS</a></li><li><a href="https://github.com/harbour">GitHub</a></li></ul></footer>'

    def around(self, document, body):
        return f'<header>{self.bar}</header><main><article class="post"><h1>{escape(document.title)}</h1><p class="meta"><time datetime="2025-03-02">2 March 2025</time> · 4 min read</p><div class="content">{body}</div></article></main>{self.foot}'

    def block(self, block):
        name, *rest = block
        return getattr(self, name)(*rest)

    def heading(self, text):
        return f'<h2 id="{text.lower().replace(" ", "-")}">{text}</h2>'

    def text(self, parts):
        return "<p>" + "".join(escape(part) if isinstance(part, str) else self.inline(part[1]) for part in parts) + "</p>"

    def list(self, items):
        return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"

    def inline(self, tex):
        return rf"\({escape(tex, False)}\)"

    def formula(self, tex):
        return rf"<p>\[{escape(tex, False)}\]</p>"

    def rows(self, rows, cell="{}"):
        head, *body = rows
        line = lambda name, cells: "<tr>" + "".join(f"<{name}>{cell.format(escape(text))}</{name}>" for text in cells) + "</tr>"
        return f"<thead>{line('th', head)}</thead><tbody>{''.join(line('td', cells) for cells in body)}</tbody>"

    def table(self, caption, rows):
        return f"<table>{self.rows(rows)}</table>"

    def code(self, language, source):
        return f'<pre><code class="language-{language}">{escape(source, False)}\n</code></pre>'

    def mathml(self, tex, alone=False):
        return re.search(r"<math.*?</math>", self.katex[tex, alone], re.S)[0]


class Hugo(Template):
    head = '<script>MathJax = {tex: {inlineMath: [["\\\\(", "\\\\)"]]}};</script><script src="https://cdn.jsdelivr.net/npm/mathjax@3/es5/tex-mml-chtml.js"></script>'

    def heading(self, text):
        name = text.lower().replace(" ", "-")
        return f'<h2 id="{name}">{text}<a hidden class="anchor" aria-hidden="true" href="#{name}">#</a></h2>'

    def formula(self, tex):
        return f"<p>$${escape(tex, False)}$$</p>"

    def table(self, caption, rows):
        return f'<figure><table>{self.rows(rows)}</table><figcaption><p>{caption}</p></figcaption></figure>' if self.number % 2 else super().table(caption, rows)

    def code(self, language, source):
        lines = highlighted(source, language, chroma)
        if self.number % 2:
            numbers = "".join(f'<span class="lnt">{n + 1}\n</span>' for n in range(len(lines)))
            text = "".join(f'<span class="line"><span class="cl">{line}\n</span></span>' for line in lines)
            return (f'<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code>{numbers}</code></pre></td>'
                    f'<td class="lntd"><pre tabindex="0" class="chroma"><code class="language-{language}" data-lang="{language}">{text}</code></pre></td></tr></table></div></div>')
        text = "".join(f'<span class="line"><span class="ln">{n + 1}</span><span class="cl">{line}\n</span></span>' for n, line in enumerate(lines))
        return f'<div class="highlight"><pre tabindex="0" class="chroma"><code class="language-{language}" data-lang="{language}">{text}</code></pre><button class="copy-code">copy</button></div>'


class Jekyll(Template):
    def inline(self, tex):
        return f'<script type="math/tex">{tex}</script>'

    def formula(self, tex):
        return f'<script type="math/tex; mode=display">% <![CDATA[\n{tex} %]]></script>'

    def code(self, language, source):
        lines = highlighted(source, language, short)
        if self.number % 2:
            numbers = "\n".join(str(n + 1) for n in range(len(lines)))
            inner = f'<table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">{numbers}\n</pre></td><td class="rouge-code"><pre>' + "\n".join(lines) + "\n</pre></td></tr></tbody></table>"
        else:
            inner = "\n".join(lines) + "\n"
        return f'<div class="language-{language} highlighter-rouge"><div class="code-header"><span data-label-text="{language.title()}"><i class="fas fa-code"></i></span><button aria-label="copy"><i class="far fa-clipboard"></i></button></div><div class="highlight"><pre class="highlight"><code>{inner}</code></pre></div></div>'

    def around(self, document, body):
        side = "".join(f'<li><a href="/{word}/">{word.title()}</a></li>' for word in WORDS[:12])
        return f'<aside id="sidebar"><ul>{side}</ul></aside><main aria-label="Main Content"><article><h1>{escape(document.title)}</h1><div class="content">{body}</div><div class="post-tail"><a href="/tags/ships/" class="post-tag">ships</a><span>This post is licensed under CC BY 4.0 by the author.</span></div></article><section><h3>Further Reading</h3><a href="/x/">Another post about the harbour and its gates</a></section></main>{self.foot}'


class Docusaurus(Template):
    def heading(self, text):
        name = text.lower().replace(" ", "-")
        return f'<h2 class="anchor anchorWithStickyNavbar_LWe7" id="{name}">{text}<a href="#{name}" class="hash-link" aria-label="Direct link to {text}" title="Direct link to {text}">​</a></h2>'

    def inline(self, tex):
        return self.katex[tex, False]

    def formula(self, tex):
        return self.katex[tex, True]

    def code(self, language, source):
        lines = highlighted(source, language, prism)
        number = '<span class="codeLineNumber_Tfdd"></span>' if self.number % 2 else ""
        text = "".join(f'<span class="token-line" style="color:#393A34">{number}<span class="codeLineContent_feaV">{line}</span><br></span>' if number
                       else f'<span class="token-line" style="color:#393A34">{line}<br></span>' for line in lines)
        return (f'<div class="language-{language} codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-{language} codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv">{text}</code></pre>'
                '<div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" title="Copy" class="clean-btn"><span class="copyButtonIcons_eSgA" aria-hidden="true"><svg viewBox="0 0 24 24"><path d="M19"/></svg></span></button></div></div></div>')

    def around(self, document, body):
        side = "".join(f'<li class="menu__list-item"><a class="menu__link" href="/docs/{word}">{word.title()}</a></li>' for word in WORDS[:14])
        toc = "".join(f'<li><a href="#{block[1]}" class="table-of-contents__link">{block[1]}</a></li>' for block in document.blocks if block[0] == "heading")
        return (f'<div id="__docusaurus"><nav class="navbar"><a href="/">Harbour</a><a href="/docs">Docs</a><a href="/blog">Blog</a></nav><div class="main-wrapper"><aside class="theme-doc-sidebar-container"><ul class="menu__list">{side}</ul></aside>'
                f'<main class="docMainContainer"><div class="row"><div class="col"><div class="docItemContainer"><article><nav class="theme-doc-breadcrumbs" aria-label="Breadcrumbs"><ul class="breadcrumbs"><li>Docs</li></ul></nav><div class="theme-doc-markdown markdown"><header><h1>{escape(document.title)}</h1></header>{body}</div>'
                f'<footer class="theme-doc-footer"><a href="https://github.com/edit">Edit this page</a></footer></article><nav class="pagination-nav"><a href="/docs/a">Previous</a><a href="/docs/b">Next</a></nav></div></div><div class="col col--3"><ul class="table-of-contents">{toc}</ul></div></div></main></div>{self.foot}</div>')


class WordPress(Template):
    def inline(self, tex):
        return f'<img src="https://s0.wp.com/latex.php?latex={escape(tex)}&#038;bg=ffffff&#038;fg=000&#038;s=0" alt="{escape(tex)}" class="latex" />'

    def formula(self, tex):
        return f'<p class="has-text-align-center wp-block-paragraph">{self.inline(tex)}</p>'

    def table(self, caption, rows):
        return f'<figure class="wp-block-table is-style-stripes"><table class="has-fixed-layout">{self.rows(rows)}</table><figcaption class="wp-element-caption">{caption}</figcaption></figure>'

    def code(self, language, source):
        lines = source.split("\n")
        if self.number % 3 == 0:
            return f'<pre class="wp-block-code"><code>{escape(source, False)}</code></pre>'
        if self.number % 3 == 1:
            numbers = "".join(f'<div class="line number{n + 1} index{n} alt2">{n + 1}</div>' for n in range(len(lines)))
            spaces = lambda line: f'<code class="{"py"} spaces">{"&nbsp;" * (len(line) - len(line.lstrip(" ")))}</code>' if line.startswith(" ") else ""
            text = "".join(f'<div class="line number{n + 1} index{n} alt2">{spaces(line)}<code class="py plain">{escape(line.lstrip(" "), False) or "&nbsp;"}</code></div>' for n, line in enumerate(lines))
            return f'<div class="wp-block-syntaxhighlighter-code"><div><div id="highlighter_1" class="syntaxhighlighter {language}"><table border="0" cellpadding="0" cellspacing="0"><tbody><tr><td class="gutter">{numbers}</td><td class="code"><div class="container">{text}</div></td></tr></tbody></table></div></div></div>'
        rows = "".join(f'<div class="crayon-num" data-line="crayon-1-{n + 1}">{n + 1}</div>' for n in range(len(lines)))
        text = "".join(f'<div class="crayon-line" id="crayon-1-{n + 1}">{escape(line, False) or "&nbsp;"}</div>' for n, line in enumerate(lines))
        return f'<div id="crayon-1" class="crayon-syntax crayon-theme-classic"><div class="crayon-toolbar"><span class="crayon-title"></span><span class="crayon-language">{language}</span></div><div class="crayon-plain-wrap"></div><div class="crayon-main"><table class="crayon-table"><tr class="crayon-row"><td class="crayon-nums"><div class="crayon-nums-content">{rows}</div></td><td class="crayon-code"><div class="crayon-pre">{text}</div></td></tr></table></div></div>'

    def around(self, document, body):
        side = "".join(f'<li><a href="/{word}/">{word.title()} and more</a></li>' for word in WORDS[:8])
        return f'<div id="page" class="site"><header id="masthead">{self.bar}</header><div id="content"><main id="main"><article class="post type-post"><header class="entry-header"><h1 class="entry-title">{escape(document.title)}</h1></header><div class="entry-content">{body}<div class="sharedaddy sd-sharing-enabled"><h3 class="sd-title">Share this:</h3><ul><li><a href="?share=x">X</a></li></ul></div></div></article><div id="comments"><h2>2 thoughts on this</h2><ol><li><p>Thank you, this saved my day at work.</p></li></ol></div></main><aside id="secondary" class="widget-area"><section class="widget"><h2>Recent Posts</h2><ul>{side}</ul></section></aside></div>{self.foot}</div>'


class Ghost(Template):
    head = '<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/katex/dist/katex.min.css"><script defer src="https://cdn.jsdelivr.net/npm/katex/dist/contrib/auto-render.min.js"></script>'

    def inline(self, tex):
        return f"${escape(tex, False)}$"

    def formula(self, tex):
        return f"<p>$${escape(tex, False)}$$</p>"

    def code(self, language, source):
        text = "\n".join(highlighted(source, language, prism))
        return f'<figure class="kg-card kg-code-card kg-card-hascaption"><pre class="language-{language}" tabindex="0"><code class="language-{language}">{text}</code></pre><figcaption><p><span style="white-space: pre-wrap;">The {WORDS[len(source) % 9]} in code</span></p></figcaption></figure>'

    def table(self, caption, rows):
        return f"<!--kg-card-begin: html--><table>{self.rows(rows)}</table><!--kg-card-end: html-->"


class Substack(Template):
    def formula(self, tex):
        data = escape(json.dumps({"persistentExpression": tex, "id": "ABC"}))
        return f'<div class="latex-rendered" data-attrs="{data}" data-component-name="LatexBlockToDOM"></div>'

    def inline(self, tex):
        return self.formula(tex).replace("div", "span")

    def table(self, caption, rows):
        return f'<div class="table-wrapper"><table>{self.rows(rows, "<p>{}</p>")}</table></div>'

    def code(self, language, source):
        data = escape(json.dumps({"language": language, "nodeId": "x"}))
        return f'<div class="highlighted_code_block" data-attrs="{data}" data-component-name="HighlightedCodeBlockToDOM"><pre class="shiki"><code class="language-{language}">{escape(source, False)}</code></pre></div>'

    def around(self, document, body):
        return f'<div class="main-menu">{self.bar}</div><div class="single-post-container"><article class="newsletter-post post"><div class="post-header"><h1 class="post-title">{escape(document.title)}</h1><h3 class="subtitle">A letter</h3></div><div class="available-content"><div dir="auto" class="body markup">{body}<div class="subscription-widget-wrap"><p>Thanks for reading! Subscribe for free to receive new posts.</p><input type="email"><button>Subscribe</button></div></div></div></article><div class="post-footer"><a class="post-ufi-button">12</a><button>Share</button></div></div>{self.foot}'


class MediaWiki(Template):
    def heading(self, text):
        return f'<div class="mw-heading mw-heading2"><h2 id="{text}">{text}</h2><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/edit">edit</a><span class="mw-editsection-bracket">]</span></span></div>'

    def inline(self, tex):
        said = escape("{\\displaystyle " + tex + "}")
        math = self.mathml(tex).replace("<math ", f'<math alttext="{said}" ')
        math = re.sub(r"(<annotation[^>]*>).*?(</annotation>)", lambda match: match[1] + said + match[2], math, flags=re.S)
        return f'<span class="mwe-math-element mwe-math-element-inline"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">{math}</span><img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/0a" class="mwe-math-fallback-image-inline mw-invert skin-invert" aria-hidden="true" style="vertical-align: -0.3ex; width:6ex; height:2ex;" alt="{said}"></span>'

    def formula(self, tex):
        return f"<dl><dd>{self.inline(tex)}</dd></dl>"

    def table(self, caption, rows):
        return f'<table class="wikitable sortable"><caption>{caption}\n</caption>{self.rows(rows)}</table>'

    def code(self, language, source):
        text = "\n".join(highlighted(source, language, short))
        return f'<div class="mw-highlight mw-highlight-lang-{language} mw-content-ltr" dir="ltr"><pre><span></span>{text}\n</pre></div>'

    def around(self, document, body):
        side = "".join(f'<li><a href="/wiki/{word}">{word.title()}</a></li>' for word in WORDS[:10])
        return f'<div class="mw-page-container"><header class="vector-header"><nav><ul>{side}</ul></nav></header><main id="content" class="mw-body"><header><h1 id="firstHeading" class="firstHeading">{escape(document.title)}</h1></header><div id="bodyContent"><div id="siteSub">From Harbour, the free encyclopedia</div><div id="mw-content-text" class="mw-body-content"><div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">{body}</div></div><div id="catlinks"><a href="/wiki/Category:Ships">Categories</a>: <ul><li><a href="/c">Ships</a></li></ul></div></div></main>{self.foot}</div>'


class LaTeXML(Template):
    def inline(self, tex):
        return self.mathml(tex).replace("<math ", f'<math class="ltx_Math" alttext="{escape(tex)}" ')

    def formula(self, tex):
        math = self.mathml(tex, True).replace("<math ", f'<math class="ltx_Math" alttext="{escape(tex)}" ')
        return f'<table class="ltx_equation ltx_eqn_table" id="S1.E1"><tbody><tr class="ltx_equation ltx_eqn_row ltx_align_baseline"><td class="ltx_eqn_cell ltx_eqn_center_padleft"></td><td class="ltx_eqn_cell ltx_align_center">{math}</td><td class="ltx_eqn_cell ltx_eqn_center_padright"></td><td rowspan="1" class="ltx_eqn_cell ltx_eqn_eqno ltx_align_middle ltx_align_right"><span class="ltx_tag ltx_tag_equation ltx_align_right">({self.number})</span></td></tr></tbody></table>'

    def text(self, parts):
        return f'<div class="ltx_para"><p class="ltx_p">{super().text(parts)[3:-4]}</p></div>'

    def table(self, caption, rows):
        if self.number % 2:
            row = lambda cells: '<span class="ltx_tr">' + "".join(f'<span class="ltx_td ltx_align_left">{escape(cell)}</span>' for cell in cells) + "</span>"
            table = '<span class="ltx_tabular ltx_centering ltx_align_middle"><span class="ltx_tbody">' + "".join(map(row, rows)) + "</span></span>"
        else:
            table = f'<table class="ltx_tabular ltx_centering">{self.rows(rows)}</table>'
        return f'<figure class="ltx_table" id="S1.T1"><figcaption class="ltx_caption ltx_centering"><span class="ltx_tag ltx_tag_table">Table 1: </span>{caption}</figcaption>{table}</figure>'

    def code(self, language, source):
        lines = "".join(
            f'<div class="ltx_listingline">' + (f'<span class="ltx_tag ltx_tag_listingline"><span class="ltx_text" style="font-size:50%;">{n + 1}</span></span>' if self.number % 3 == 0 else "")
            + f'<span class="ltx_text ltx_lst_space ltx_font_typewriter">{"&nbsp;" * (len(line) - len(line.lstrip(" ")))}</span><span class="ltx_text ltx_lst_identifier ltx_font_typewriter">{escape(line.lstrip(" "), False)}</span></div>'
            for n, line in enumerate(source.split("\n")))
        return f'<div class="ltx_listing ltx_lst_language_{language} ltx_lstlisting ltx_framed"><div class="ltx_listing_data"><a href="data:text/plain;base64,YQ==" download="">⬇</a></div>{lines}</div>'

    def around(self, document, body):
        toc = "".join(f'<li class="ltx_tocentry"><a href="#{block[1]}">{block[1]}</a></li>' for block in document.blocks if block[0] == "heading")
        return f'<nav class="ltx_page_navbar"><nav class="ltx_TOC"><ol class="ltx_toclist">{toc}</ol></nav></nav><div class="ltx_page_main"><div class="ltx_page_content"><article class="ltx_document"><h1 class="ltx_title ltx_title_document">{escape(document.title)}</h1><section class="ltx_section">{body}</section></article></div><footer class="ltx_page_footer"><div class="ltx_page_logo">Generated by <a href="http://dlmf.nist.gov/LaTeXML/">LaTeXML</a></div></footer></div>'


class Hexo(Template):
    def formula(self, tex):
        return f'<p><mjx-container class="MathJax" jax="CHTML" display="true"><mjx-math display="true" class="MJX-TEX" aria-hidden="true"><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="block">{self.mathml(tex, True)}</mjx-assistive-mml></mjx-container></p>'

    def inline(self, tex):
        return f'<mjx-container class="MathJax" jax="CHTML"><mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="inline">{self.mathml(tex)}</mjx-assistive-mml></mjx-container>'

    def code(self, language, source):
        lines = highlighted(source, language, hljs)
        numbers = "".join(f'<span class="line">{n + 1}</span><br>' for n in range(len(lines)))
        text = "".join(f'<span class="line">{line}</span><br>' for line in lines)
        caption = "<figcaption><span>gate.py</span></figcaption>" if self.number % 2 else ""
        return f'<figure class="highlight {language}">{caption}<table><tr><td class="gutter"><pre>{numbers}</pre></td><td class="code"><pre>{text}</pre></td></tr></table></figure>'


class Quarto(Template):
    def inline(self, tex):
        return rf'<span class="math inline">\({escape(tex, False)}\)</span>'

    def formula(self, tex):
        return rf'<p><span class="math display">\[{escape(tex, False)}\]</span></p>'

    def heading(self, text):
        return f'<h2 class="anchored" data-anchor-id="x">{text}<a class="anchorjs-link" aria-label="Anchor" data-anchorjs-icon="" href="#x"></a></h2>'

    def table(self, caption, rows):
        return f'<div id="tbl-a" class="quarto-float quarto-figure quarto-figure-center anchored"><figure class="quarto-float quarto-float-tbl figure"><figcaption class="quarto-float-caption-top quarto-float-caption quarto-float-tbl">Table&nbsp;1: {caption}</figcaption><div aria-describedby="tbl-a-caption"><table class="caption-top table">{self.rows(rows)}</table></div></figure></div>'

    def code(self, language, source):
        lines = highlighted(source, language, pandoc)
        text = "\n".join(f'<span id="cb1-{n + 1}"><a href="#cb1-{n + 1}" aria-hidden="true" tabindex="-1"></a>{line}</span>' for n, line in enumerate(lines))
        return f'<div class="cell"><div class="sourceCode cell-code" id="cb1"><pre class="sourceCode {language} code-with-copy"><code class="sourceCode {language}">{text}</code><button title="Copy to Clipboard" class="code-copy-button"><i class="bi"></i></button></pre></div></div>'


class Javadoc(Template):
    def inline(self, tex):
        return self.mathml(tex)

    def formula(self, tex):
        return f"<p>{self.mathml(tex, True)}</p>"

    def table(self, caption, rows):
        return f'<table class="striped"><caption style="display:table-caption">{caption}</caption>{self.rows(rows)}</table>'

    def code(self, language, source):
        if self.number % 2:
            return f"<pre>{{@code}}\n{escape(source, False)}\n</pre>".replace("{@code}\n", "")
        return f'<div class="snippet-container"><button class="copy snippet-copy" aria-label="Copy snippet"><span data-copied="Copied!">Copy</span><img src="../copy.svg" alt="Copy snippet"></button><pre class="snippet"><code class="language-{language}">{escape(source, False)}\n</code></pre></div>'

    def around(self, document, body):
        methods = "".join(f'<div class="col-first even-row-color"><code>void</code></div><div class="col-second even-row-color"><code><a href="#{word}()">{word}</a>()</code></div>' for word in WORDS[:6])
        return f'<div class="flex-box"><header role="banner"><nav role="navigation"><ul class="nav-bar-list"><li><a href="a">Overview</a></li><li>Package</li></ul></nav></header><div class="main-grid"><main role="main"><div class="header"><h1 title="Class Gate" class="title">Class Gate</h1></div><section class="class-description" id="class-description"><div class="block">{body}</div></section><section class="summary"><section class="method-summary"><h2>Method Summary</h2><div class="summary-table three-column-summary">{methods}</div></section></section></main></div></div>'


class Rustdoc(Template):
    head = '<script src="https://cdn.jsdelivr.net/npm/katex/dist/contrib/auto-render.min.js"></script>'

    def inline(self, tex):
        return f"${escape(tex, False)}$"

    def formula(self, tex):
        return f"<p>$${escape(tex, False)}$$</p>"

    def heading(self, text):
        name = text.lower().replace(" ", "-")
        return f'<h2 id="{name}"><a class="doc-anchor" href="#{name}">§</a>{text}</h2>'

    def table(self, caption, rows):
        return f"<div><table>{self.rows(rows)}</table></div>"

    def code(self, language, source):
        text = "\n".join(highlighted(source, language, lambda kind: f'class="{dict(keyword="kw", builtin="prelude-ty", function="macro", operator="").get(kind, kind)}"'))
        return f'<div class="example-wrap"><pre class="rust rust-example-rendered"><code>{text}</code></pre><a class="test-arrow" target="_blank" title="Run code" href="https://play.rust-lang.org/?code=a"></a></div>'

    def around(self, document, body):
        side = "".join(f'<li><a href="#{word}">{word}</a></li>' for word in WORDS[:10])
        return f'<nav class="sidebar"><h2><a href="../index.html">harbour</a></h2><ul class="block">{side}</ul></nav><main><div class="width-limiter"><section id="main-content" class="content"><div class="main-heading"><h1>Module <span>gate</span>&nbsp;<button id="copy-path" title="Copy item path to clipboard">Copy item path</button></h1><span class="sub-heading"><a class="src" href="../src/a.html">Source</a></span></div><details class="toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock">{body}</div></details><h2 id="structs" class="section-header">Structs</h2><dl class="item-table"><dt><a class="struct" href="s.html">Gate</a></dt><dd>A gate.</dd></dl></section></div></main>'


# MARK: - Programs that are run

def markdown(document, display):
    """The document in Markdown, as MkDocs and Pelican read it."""
    parts = []
    for name, *rest in document.blocks:
        if name == "heading":
            parts.append(f"## {rest[0]}")
        elif name == "text":
            parts.append("".join(part if isinstance(part, str) else f"${part[1]}$" for part in rest[0]).strip())
        elif name == "formula":
            parts.append(display.format(rest[0]))
        elif name == "code":
            parts.append(f"```{rest[0]}\n{rest[1]}\n```")
        elif name == "list":
            parts.append("\n".join(f"- {item}" for item in rest[0]))
        elif name == "table":
            head, *body = rest[1]
            line = lambda cells: "| " + " | ".join(cells) + " |"
            parts.append("\n".join([line(head), line(["-"] * len(head)), *map(line, body)]))
    return "\n\n".join(parts) + "\n"


def restructured(document):
    """The document as Sphinx reads it."""
    parts = [document.title + "\n" + "=" * len(document.title)]
    indented = lambda text: "\n".join("   " + line if line else "" for line in text.split("\n"))
    for name, *rest in document.blocks:
        if name == "heading":
            parts.append(rest[0] + "\n" + "-" * len(rest[0]))
        elif name == "text":
            parts.append("".join(part if isinstance(part, str) else f":math:`{part[1]}`" for part in rest[0]).strip())
        elif name == "formula":
            parts.append(".. math::\n\n" + indented(rest[0]))
        elif name == "code":
            options = "\n   :linenos:" if document.number % 2 else ""
            caption = "\n   :caption: gate.py" if document.number % 3 == 0 else ""
            parts.append(f".. code-block:: {rest[0]}{options}{caption}\n\n" + indented(rest[1]))
        elif name == "list":
            parts.append("\n".join(f"- {item}" for item in rest[0]))
        elif name == "table":
            parts.append(f".. list-table:: {rest[0]}\n   :header-rows: 1\n\n" + "\n".join(
                "\n".join(("   * - " if index == 0 else "     - ") + cell for index, cell in enumerate(row)) for row in rest[1]))
    return "\n\n".join(parts) + "\n"


def run(*command):
    subprocess.run([sys.executable, "-m", *map(str, command)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def sphinx(documents, folder):
    (folder / "conf.py").write_text('project = "Harbour"\nextensions = ["sphinx.ext.mathjax"]\n')
    (folder / "index.rst").write_text("Harbour\n=======\n\n.. toctree::\n\n" + "".join(f"   p{document.number}\n" for document in documents))
    for document in documents:
        (folder / f"p{document.number}.rst").write_text(restructured(document))
    run("sphinx", "-q", folder, folder / "out")
    return [(folder / f"out/p{document.number}.html").read_text() for document in documents]


def mkdocs(documents, folder):
    (folder / "docs").mkdir()
    (folder / "mkdocs.yml").write_text("""site_name: Harbour
theme: {name: material, font: false, features: [content.code.copy, toc.follow]}
markdown_extensions:
  - tables
  - toc: {permalink: true}
  - pymdownx.highlight: {anchor_linenums: true, linenums: true}
  - pymdownx.superfences
  - pymdownx.arithmatex: {generic: true}
""")
    (folder / "docs/index.md").write_text("# Harbour\n")
    for document in documents:
        (folder / f"docs/p{document.number}.md").write_text(f"# {document.title}\n\n" + markdown(document, "$$\n{}\n$$"))
    run("mkdocs", "build", "-q", "-f", folder / "mkdocs.yml", "-d", folder / "out")
    return [(folder / f"out/p{document.number}/index.html").read_text() for document in documents]


def pelican(documents, folder):
    (folder / "content").mkdir()
    (folder / "pelicanconf.py").write_text("""SITENAME = "Harbour"
TIMEZONE = "UTC"
SITEURL = "https://harbour.example"
MARKDOWN = {"extension_configs": {"markdown.extensions.extra": {}, "markdown.extensions.codehilite": {"css_class": "highlight", "linenums": True}}}
""")
    for document in documents:
        head = f"Title: {document.title}\nDate: 2025-03-02\nSlug: p{document.number}\n\n"
        # The plug-in render_math writes this of `$$`.
        (folder / f"content/p{document.number}.md").write_text(head + markdown(document, '<div class="math">$$ {} $$</div>'))
    run("pelican", folder / "content", "-o", folder / "out", "-s", folder / "pelicanconf.py", "-q")
    return [(folder / f"out/p{document.number}.html").read_text() for document in documents]


TEMPLATES = {"hugo": Hugo, "jekyll": Jekyll, "docusaurus": Docusaurus, "wordpress": WordPress, "ghost": Ghost, "substack": Substack, "mediawiki": MediaWiki,
             "latexml": LaTeXML, "hexo": Hexo, "quarto": Quarto, "javadoc": Javadoc, "rustdoc": Rustdoc, "sphinx": sphinx, "mkdocs": mkdocs, "pelican": pelican}


def pages_of(name, documents, katex):
    template = TEMPLATES[name]
    if isinstance(template, type):
        return [template(katex, document.number).page(document) for document in documents]
    with tempfile.TemporaryDirectory() as folder:
        return template(documents, pathlib.Path(folder))


# MARK: - Scores

# Below these the check fails.
FLOORS = {"code": 0.98, "formula": 0.98, "TEDS": 0.92}


class Found:
    """What HTML has of code, formulas and tables."""

    def __init__(self, markup):
        self.codes, self.formulas, self.tables = [], [], []
        self.read(html5lib.parse(markup or "", namespaceHTMLElements=False))

    def read(self, element):
        for child in element:
            name = child.tag.split("}")[-1] if isinstance(child.tag, str) else ""
            if name == "pre":
                self.codes.append(self.text(child).strip("\n"))
            elif name == "math":
                self.formulas += ["".join(note.itertext()) for note in child.iter() if isinstance(note.tag, str) and note.tag.endswith("annotation")][:1]
            elif name == "table":
                # Listings of lines and formulas are no tables of words.
                rows = [[self.text(cell).split() for cell in row if cell.tag in ("td", "th")] for row in child.iter("tr")]
                if not list(child.iter("pre")):
                    self.tables.append([[" ".join(cell) for cell in row] for row in rows])
                self.read(child)
            else:
                self.read(child)

    def text(self, element):
        parts = [element.text or ""]
        for child in element:
            parts.append("\n" if child.tag == "br" else self.text(child))
            parts.append(child.tail or "")
        return "".join(parts)


def squeezed(formulas):
    strip = lambda tex: re.sub(r"^\{\\displaystyle (.*)\}$", r"\1", tex.strip())
    return "\n".join(re.sub(r"\s+", "", strip(tex)) for tex in formulas)


def edit(one, other):
    return Levenshtein.normalized_similarity(one, other)


class Costs(apted.Config):
    def rename(self, one, other):
        if one.name != other.name:
            return 1
        return 1 - edit(one.words, other.words)

    def children(self, node):
        return node.inner


class Node:
    def __init__(self, name, inner=(), words=""):
        self.name, self.inner, self.words = name, list(inner), words

    @property
    def size(self):
        return 1 + sum(node.size for node in self.inner)


def tree(rows):
    return Node("table", [Node("tr", [Node("td", words=cell) for cell in row]) for row in rows])


def teds(wanted, found):
    """The mean similarity of the tables, each with the one in its place."""
    if not wanted and not found:
        return None
    scores = []
    for one, other in zip(wanted, found):
        one, other = tree(one), tree(other)
        scores.append(1 - apted.APTED(one, other, Costs()).compute_edit_distance() / max(one.size, other.size))
    return sum(scores) / max(len(wanted), len(found))


def score(document, markup):
    """The scores of code, formulas and tables; None for what the document does not have."""
    found = Found(markup)
    code = edit("\n".join(document.codes), "\n".join(found.codes)) if document.codes or found.codes else None
    formula = edit(squeezed(document.formulas), squeezed(found.formulas)) if document.formulas or found.formulas else None
    return code, formula, teds(document.tables, found.tables), found


def articles(tamis, pages):
    lines = "".join(json.dumps({"id": str(number), "url": f"https://harbour.example/p{number}", "html": page}) + "\n" for number, page in enumerate(pages))
    output = subprocess.run([tamis, "article", "--jsonl"], input=lines, capture_output=True, text=True, check=True).stdout
    return [json.loads(line).get("html") or "" for line in output.splitlines()]


def by_trafilatura(pages):
    import trafilatura
    return [trafilatura.extract(page, output_format="html", include_tables=True, include_formatting=True) or "" for page in pages]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tamis", type=pathlib.Path)
    parser.add_argument("--pages", type=int, default=20, help="the pages of each template")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--template", nargs="+", default=list(TEMPLATES))
    parser.add_argument("--show", type=int, default=0, help="the number of the worst pages to show")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the pages and what was found")
    parser.add_argument("--peer", choices=["trafilatura"])
    options = parser.parse_args()
    sources, made, worst, totals = python_sources(), katex(FORMULAS), [], collections.defaultdict(list)
    print(f"{'':12} {'code':>6} {'formula':>8} {'TEDS':>6}")
    for name in options.template:
        documents = [Document(number, f"{options.seed} {name}", sources) for number in range(1, options.pages + 1)]
        pages = pages_of(name, documents, made)
        answers = by_trafilatura(pages) if options.peer else articles(options.tamis, pages)
        means = collections.defaultdict(list)
        for document, page, answer in zip(documents, pages, answers, strict=True):
            *scores, found = score(document, answer)
            for kind, value in zip(FLOORS, scores):
                if value is not None:
                    means[kind].append(value)
                    totals[kind].append(value)
                    worst.append((value, kind, name, document, found))
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{name}-{document.number}.html").write_text(page)
                (options.keep / f"{name}-{document.number}.out.html").write_text(answer)
        print(f"{name:12}" + " ".join(f"{sum(means[kind]) / len(means[kind]):7.3f}" if means[kind] else "      -" for kind in FLOORS))
    print(f"{'all':12}" + " ".join(f"{sum(totals[kind]) / len(totals[kind]):7.3f}" for kind in FLOORS))
    for value, kind, name, document, found in sorted(worst, key=lambda each: each[0])[:options.show]:
        wanted, got = {"code": (document.codes, found.codes), "formula": (document.formulas, found.formulas), "TEDS": (document.tables, found.tables)}[kind]
        print(f"\n{name} {document.number}: {kind} {value:.3f}\n  wanted {wanted}\n  found  {got}")
    return int(not options.peer and any(sum(values) < FLOORS[kind] * len(values) for kind, values in totals.items()))


if __name__ == "__main__":
    sys.exit(main())
