# SPDX-License-Identifier: Apache-2.0
"""Copies the Javadoc of all artifacts to the site.

    javadoc.py REPOSITORY SITE

In the artifacts, links to the Javadoc of another module lead to the project's web site; here, to its copy. Each page
begins with a link to the pages of the site.
"""
import pathlib
import re
import shutil
import sys

# Javadoc without fonts imports their style sheet regardless.
FONTS = "@import url('fonts/dejavu.css');\n"
MENU = re.compile(r'(<ul id="navbar-top-firstrow"[^>]*>\n)')


def main(root, site):
    url = re.search(r"<url>([^<]+)</url>", (root / "modules/pom.xml").read_text())[1]
    shutil.copytree(root / "target/reports/apidocs", site / "jurom")
    for pages in root.glob("modules/*/target/reports/apidocs"):
        shutil.copytree(pages, site / pages.parents[2].name)

    artifacts = {module.name: module.parent.name for module in site.glob("*/dev.jurom*")}
    link = re.compile(re.escape(url) + r"/apidocs/([\w.]+)/")
    for page in site.rglob("*.html"):
        top = "../" * (len(page.relative_to(site).parts) - 1)
        text = link.sub(lambda found: f"{top}{artifacts[found[1]]}/{found[1]}/", page.read_text())
        page.write_text(MENU.sub(rf'\1<li><a href="{top}../java.html">Documentation</a></li>\n', text))
    for style in site.glob("*/resource-files/stylesheet.css"):
        style.write_text(style.read_text().replace(FONTS, ""))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
