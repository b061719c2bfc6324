# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration of the documentation site, which scripts/docs builds.

scripts/docs links all pages into one folder, target/site-pages. The hooks below adapt the links of
the pages to that folder, so that the same links work in the repository, and insert the parts that
are taken from other files.
"""
import os
import pathlib
import re
import sys

from docutils import nodes

sys.path.insert(0, os.path.dirname(__file__))
import errors  # noqa: E402
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
highlight_language = "none"  # of the blocks without a language: commands, and what they print
smartquotes = False

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_use_index = False
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # would fetch pages, which browsers refuse for file://
html_theme_options = {"top_of_page_button": None}


def artifacts(root):
    """Returns the README's table of artifacts, with links to their Javadoc."""
    table = re.search(r"\n(\| artifact \|.*?\n)\n", (root / "README.md").read_text(), re.DOTALL)[1]
    return re.sub(r"\| `([\w-]+)` (?=.*`dev\.)", r"| [`\1`](javadoc:\1/index) ", table)


PARTS = {"messages": errors.messages, "statuses": errors.statuses, "artifacts": artifacts}


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
            text = text.replace(f"<!-- {name} -->", part(ROOT))
    # A class has a page in the Javadoc of its artifact.
    text = re.sub(r"\]\((?:\.\./)*src/main/java/([\w/]+)\.java\)", r"](javadoc:jurom/dev.jurom/\1)", text)
    # All pages are in one folder.
    text = re.sub(r"\]\((?:\.\./|docs/|site/)*([\w-]+\.md|plots/|diagrams/)", r"](\1", text)
    # The site has no sources.
    source[0] = re.sub(r"\[([^]]+)\]\((?:\.\./)*(?:src|modules|scripts)/[^)]*\)", r"`\1`", text)


def link_javadoc(app, document, page):
    for link in document.findall(nodes.reference):
        link["refuri"] = re.sub("^javadoc:(.*)", r"javadoc/\1.html", link.get("refuri", ""))


def setup(app):
    app.connect("source-read", adapt)
    app.connect("doctree-resolved", link_javadoc)
    app.connect("build-finished", theme.complete)
