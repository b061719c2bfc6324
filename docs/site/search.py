# SPDX-License-Identifier: Apache-2.0
"""Writes the texts that the search page searches: the sections of all pages, and the types and members of the
Javadoc. They are a script and not a data file, which browsers refuse to read for file://."""
import html.parser
import json
import pathlib
import re

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
WITHOUT_WORDS = {"script", "style", "button", "nav"}
# Javadoc pages that are not in the search: lists of elements that have pages of their own.
LISTS = re.compile(r"class-use/|package-use|package-tree|overview-tree|allclasses|allpackages|index-all|/index\.html"
                   r"|search|help-doc|constant-values|serialized-form|/src/|/src-html/|/legal/|doc-files/")


class Sections(html.parser.HTMLParser):
    """The sections of a page: the innermost element <section id="..."> has the text."""

    def __init__(self, begin):
        super().__init__()
        self.begin, self.inside, self.stack, self.all = begin, 0, [], []

    def handle_starttag(self, tag, attributes):
        if tag in VOID:
            return
        values = dict(attributes)
        if not self.inside and self.begin(tag, values):
            self.inside = len(self.stack) + 1
        section = self.stack[-1][1] if self.stack else None
        if self.inside and tag == "section" and (values.get("id") or not self.all):
            section = {"id": values.get("id", ""), "heading": [], "text": []}
            self.all.append(section)
        self.stack.append((tag, section, "headerlink" in values.get("class", "") or tag in WITHOUT_WORDS))

    def handle_endtag(self, tag):
        while self.stack and tag in [element[0] for element in self.stack]:
            if self.stack.pop()[0] == tag:
                break
        if len(self.stack) < self.inside:
            self.inside = 0

    def handle_data(self, data):
        if not self.inside or not self.stack or any(element[2] for element in self.stack):
            return
        tag, section, _ = self.stack[-1]
        if section:
            headings = [element[0] for element in self.stack if re.fullmatch("h[1-6]", element[0])]
            section["heading" if headings else "text"].append(data)


def words(parts):
    return " ".join("".join(parts).split())


def sections(file, begin):
    page = Sections(begin)
    page.feed(file.read_text())
    return [(part["id"], words(part["heading"]), words(part["text"])) for part in page.all]


def of_pages(site):
    """Yields page, heading, address and text of each section of the pages."""
    for file in sorted(site.glob("*.html")):
        if file.name in ("search.html", "genindex.html"):
            continue
        found = sections(file, lambda tag, values: tag == "article")
        for anchor, heading, text in found:
            yield found[0][1], heading, f"{file.name}#{anchor}", text


def of_javadoc(site):
    """Yields the same of each type, and of each of its members."""
    for file in sorted((site / "javadoc").rglob("*.html")):
        address = str(file.relative_to(site))
        if LISTS.search(address) or file.name.startswith(("package-", "module-")):
            continue
        name = file.name.removesuffix(".html")
        for anchor, heading, text in sections(file, lambda tag, values: tag == "main"):
            if anchor.endswith("-summary") or anchor.endswith("-detail") or anchor.startswith("nested-class"):
                continue
            if anchor == "class-description" or not anchor:
                yield "Javadoc", name, address, text
            elif text:
                yield "Javadoc", f"{name}.{heading}", f"{address}#{anchor}", text


def complete(app, error):
    if error or app.builder.name != "html":
        return
    site = pathlib.Path(app.outdir)
    texts = json.dumps([*of_pages(site), *of_javadoc(site)], ensure_ascii=False, separators=(",", ":"))
    (site / "_static/sections.js").write_text(f"const SECTIONS = {texts};\n")
    for unused in ("searchindex.js", "_static/searchtools.js", "_static/language_data.js"):
        (site / unused).unlink(missing_ok=True)
