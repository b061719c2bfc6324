# SPDX-License-Identifier: Apache-2.0
"""Checks the documentation site: follows each link, and opens each page in headless Chromium.

    check.py SITE

A link within the site must lead to an existing file and anchor; other links are not followed. The browser has
no network. It opens the pages in light and dark mode, those of the Javadoc in one mode.
"""
import functools
import html.parser
import os
import pathlib
import sys
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 60  # maximum time for one page
SEARCHED = "deadline"  # a word of several pages

# Colours as the browser computes them: "rgb(19, 20, 22)", with the sum of the three below 3 * 128.
IS_DARK = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)" \
    ".reduce((sum, part) => sum + part) < 384"
IS_TOO_WIDE = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, file):
        super().__init__()
        self.links, self.anchors = set(), {""}
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


parse = functools.cache(Page)


def problem(file, link):
    """Returns why a link of a file leads nowhere, or None."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme in ("http", "https"):
        return None if parts.hostname else "it has no host"
    if parts.scheme:
        return f"its scheme is {parts.scheme}"
    target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
    if not target.is_file():
        return "there is no such file"
    if target.suffix == ".html" and urllib.parse.unquote(parts.fragment) not in parse(target).anchors:
        return "its page has no such anchor"
    return None


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for argument in ("--headless=new", "--disable-gpu", "--window-size=1280,1000", "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium has none for root
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_page_load_timeout(SECONDS)
    return browser


def choose(browser, mode):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": mode}]})


def console(browser):
    """Yields the errors and warnings of the console since the last call."""
    for entry in browser.get_log("browser"):
        if entry["level"] in ("SEVERE", "WARNING"):
            yield entry["message"]


def visit(browser, site, pages, mode):
    """Opens pages, and yields the file and the reason of each failure."""
    choose(browser, mode)
    for page in pages:
        browser.get(page.as_uri())
        yield from ((page, message) for message in console(browser))
        if "javadoc" in page.relative_to(site).parts:
            continue
        if browser.execute_script(IS_DARK) != (mode == "dark"):
            yield page, f"its background is not {mode}"
        if browser.execute_script(IS_TOO_WIDE):
            yield page, "it is wider than the window"


def search(browser, site):
    page = site / "search.html"
    browser.get(f"{page.as_uri()}?q={SEARCHED}")
    WebDriverWait(browser, SECONDS).until(
        lambda _: browser.find_element(By.ID, "search-results").text.strip().startswith("Search Results"))
    if not browser.find_elements(By.CSS_SELECTOR, "#search-results li a"):
        yield page, f'the search for "{SEARCHED}" finds nothing'
    yield from ((page, message) for message in console(browser))


def main(site):
    files = sorted(site.rglob("*.html"))
    pages = [file for file in files if "javadoc" not in file.relative_to(site).parts]
    javadoc = [file for file in files if file not in pages]
    failures = []
    for file in files:
        for link in sorted(parse(file).links):
            reason = problem(file, link)
            if reason:
                failures.append((file, f"{link}: {reason}"))
    links = sum(len(parse(file).links) for file in files)
    browser = start_browser()
    try:
        for mode in ("light", "dark"):
            failures += visit(browser, site, pages, mode)
        failures += visit(browser, site, javadoc, "light")
        failures += search(browser, site)
    finally:
        browser.quit()
    for file, reason in failures:
        print(f"{file.relative_to(site)}: {reason}", file=sys.stderr)
    print(f"jurom: {len(pages)} pages, {len(javadoc)} pages of Javadoc, {links} links: {len(failures)} failures",
          file=sys.stderr)
    return 1 if failures or not pages or not javadoc else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
