# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the documentation site, which scripts/docs builds.

scripts/docs links all pages into one folder, target/site-pages. The hooks below adapt the links of
the pages to that folder, so that the same links work in the repository, and insert the parts that
are taken from other files.
"""
import functools
import os
import pathlib
import re
import sys

from docutils import nodes

sys.path.insert(0, os.path.dirname(__file__))
import console  # noqa: E402
import errors  # noqa: E402
import search  # noqa: E402
import theme  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
POM = (ROOT / "modules/pom.xml").read_text()

project = "jurom"
release = re.search(r"<version>([^<]+)</version>", POM).group(1)
html_title = f"jurom {release}"
root_doc = "index"
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_url_schemes = ["http", "https", "javadoc"]
highlight_language = "none"  # blocks without a language that begin with a prompt become consoles
pygments_dark_style = "monokai"
smartquotes = False

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
templates_path = ["templates"]
html_use_index = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"top_of_page_button": None}


def table(header):
    """Returns the README's table whose first column has a header."""
    return re.search(rf"\n(\| {header} \|.*?\n)\n", (ROOT / "README.md").read_text(), re.DOTALL)[1]


def artifacts():
    """Returns the table of artifacts, with links to their Javadoc."""
    def link(cell):
        sources = ROOT / "modules" / cell[1] / "src/main/java"
        documented = cell[1] == "jurom" or sources.is_dir()
        return f"| [`{cell[1]}`](javadoc:{cell[1]}/index) " if documented else cell[0]

    return re.sub(r"(?m)^\| `([\w-]+)` ", link, table("artifact"))


PARTS = {
    "tasks": lambda: table("task"),
    "artifacts": artifacts,
    "messages": lambda: errors.messages(ROOT),
    "statuses": lambda: errors.statuses(ROOT),
}


def section(file, heading):
    """Returns the text of a section without its heading."""
    text = (ROOT / file).read_text()
    begin = text.index(f"\n## {heading}\n") + len(f"\n## {heading}\n")
    return text[begin:].split("\n## ", 1)[0]


def adapt(app, page, source):
    """Inserts parts of other files, and adapts links to the folder with all pages."""
    text = re.sub(r"<!-- section (\S+): (.+) -->", lambda part: section(*part.groups()), source[0])
    for name, part in PARTS.items():
        if f"<!-- {name} -->" in text:
            text = text.replace(f"<!-- {name} -->", part())
    if page == root_doc:
        # An entry for a page that does not exist has no effect. Sphinx reports pages without an entry.
        text = re.sub(r"(?m)^[\w-]+\n", lambda entry: entry[0] * (entry[0].strip() in app.env.found_docs), text)
    # A class has a page in the Javadoc of its artifact.
    text = re.sub(r"\]\((?:\.\./)*src/main/java/([\w/]+)\.java\)", r"](javadoc:jurom/dev.jurom/\1)", text)
    # The name of a file as the text of a link becomes the title of the page.
    text = re.sub(r"\[(?:docs/)?[\w-]+\.md\]\(", "[](", text)
    # All pages are in one folder.
    text = re.sub(r"\]\((?:\.\./|docs/|site/)*([\w-]+\.md|plots/|diagrams/)", r"](\1", text)
    # The site has no sources.
    source[0] = re.sub(r"\[([^]]+)\]\((?:\.\./)*(?:src|modules|scripts|examples)/[^)]*\)", r"`\1`", text)


def link_javadoc(app, document, page):
    """Completes links to the Javadoc, also to the member that the text of a link names."""
    for link in document.findall(nodes.reference):
        uri = link.get("refuri", "")
        if uri.startswith("javadoc:"):
            link["refuri"] = "javadoc/" + uri[len("javadoc:") :] + ".html"
            member = link.astext().partition(".")[2]
            anchor = member and re.search(rf'id="({member}(\([^"]*\))?)"', javadoc(app.outdir, link["refuri"]))
            link["refuri"] += f"#{anchor[1]}" if anchor else ""


@functools.lru_cache(maxsize=None)
def javadoc(site, uri):
    return pathlib.Path(site, uri).read_text()


def setup(app):
    app.add_lexer("console", console.ConsoleLexer)
    app.connect("source-read", adapt)
    app.connect("doctree-read", console.mark)
    app.connect("doctree-resolved", link_javadoc)
    app.connect("build-finished", theme.complete)
    app.connect("build-finished", search.complete)
