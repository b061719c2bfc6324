# SPDX-License-Identifier: Apache-2.0
"""Checks the documentation site: follows each link, and opens each page in headless Chromium.

    check.py SITE

A link within the site must lead to an existing file and anchor; other links are not followed. The browser has
no network. It opens the pages in light and dark mode and in a window for telephones, those of the Javadoc in one
mode. What it copies from consoles has no prompt, and the words that users look for lead to the sections that
have them. The texts and lines of plots are readable on telephones and in dark mode.
"""
import functools
import html.parser
import os
import pathlib
import re
import sys
import urllib.parse
import xml.etree.ElementTree

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

SECONDS = 60  # maximum time for one page
TELEPHONE = 390  # pixels of the width
SHORTEST_TEXT = 8  # pixels on a telephone
LOWEST_CONTRAST = 3  # of a line, as WCAG requires of graphics
DARKEST = 0.07  # brightness of the background of an inverted plot

# Words that users search for. The address of one of the first results begins with the value.
SEARCHED = {
    "virtual threads": "calls.html#virtual-threads",
    "log rotation": "operations.html#logs",
    "memory limit": "operations.html#limits",
    "Kubernetes": "container.html#",
    "Prometheus": "counters.html#",
    "Gradle": "packaging.html#gradle",
    "firewall": "operations.html#",
    "upgrade": "operations.html#upgrade",
    "WorkerConfiguration": "javadoc/jurom/dev.jurom/dev/jurom/WorkerConfiguration.html",
    "startWorker": "javadoc/jurom/dev.jurom/dev/jurom/Urom.html#startWorker",
}
FIRST_RESULTS = 5

# Colours as the browser computes them: "rgb(19, 20, 22)", with the sum of the three below 3 * 128.
IS_DARK = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)" \
    ".reduce((sum, part) => sum + part) < 384"
IS_TOO_WIDE = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
PROMPT = re.compile(r"(?m)^(?:[a-z]\w*\$|[$#]) ")
IMAGES = "return [...document.querySelectorAll('article img')].map((image) => [image.src, image.width])"
# Returns what the buttons copy, and the output of consoles.
COPY = """
    const copies = [];
    Object.defineProperty(navigator, "clipboard", {value: {writeText: async (text) => { copies.push(text); }}});
    document.querySelectorAll("article button.copy").forEach((button) => button.click());
    const output = [...document.querySelectorAll("article .highlight .go")].map((part) => part.textContent);
    setTimeout(() => arguments[0]([copies, output]));
    """


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
    """Searches for the words, and yields those that do not lead to their sections."""
    page = site / "search.html"
    for words, address in SEARCHED.items():
        browser.get(f"{page.as_uri()}?{urllib.parse.urlencode({'q': words})}")
        results = browser.find_elements(By.CSS_SELECTOR, "#search-results li")[:FIRST_RESULTS]
        links = [result.find_element(By.TAG_NAME, "a").get_attribute("href") for result in results]
        found = [link.removeprefix(site.as_uri() + "/") for link in links]
        if not any(link.startswith(address) for link in found):
            yield page, f'the search for "{words}" does not find {address}, but {found}'
        if not all(result.find_elements(By.TAG_NAME, "mark") or words.lower() in result.text.lower()
                   for result in results):
            yield page, f'a result for "{words}" has no excerpt with it'
        yield from ((page, message) for message in console(browser))


def copy(browser, pages):
    """Clicks each button that copies, and yields copies with a prompt, and the commands that are shown as output."""
    for page in pages:
        browser.get(page.as_uri())
        copies, output = browser.execute_async_script(COPY)
        if len(copies) != len(browser.find_elements(By.CSS_SELECTOR, "article div.highlight")):
            yield page, "a block of code has no button that copies it"
        for text in copies:
            if re.search(r"(?m)^\w*\$ ", text):
                yield page, f"a copy has a prompt: {text}"
        for text in output:
            if PROMPT.search(text):
                yield page, f"a command is shown as output: {text}"
        yield from ((page, message) for message in console(browser))


def of_telephone(browser, pages):
    """Yields the pages that are too wide for a telephone."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": TELEPHONE, "height": 844, "deviceScaleFactor": 1, "mobile": False})
    for page in pages:
        browser.get(page.as_uri())
        if browser.execute_script(IS_TOO_WIDE):
            yield page, f"it is wider than {TELEPHONE} pixels"
        for source, width in browser.execute_script(IMAGES):
            image = pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(source).path))
            smallest = min(texts(image)) * width if is_plot(image) else SHORTEST_TEXT
            if smallest < SHORTEST_TEXT:
                yield page, f"{source}: a text has {smallest:.1f} pixels on a telephone"
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def is_plot(image):
    """Returns whether scripts/bench has drawn an image; the others are diagrams."""
    return "jfreesvg" in image.read_text()


def texts(plot):
    """Returns the sizes of the texts of a plot, as parts of its width."""
    width = float(re.search(r"viewBox='\S+ \S+ (\S+)", plot.read_text())[1])
    return [float(size) / width for size in re.findall(r"font-size: ([\d.]+)px", plot.read_text())]


def legend(plot):
    """Yields name and colour of each line: in the legend, the text of a line follows its sample."""
    colour = None
    for element in xml.etree.ElementTree.parse(plot).getroot().iter():
        stroke = re.search(r"stroke:rgb\((\d+),(\d+),(\d+)\)", element.get("style", ""))
        if element.tag.endswith("}g") and stroke:
            colour = tuple(int(part) for part in stroke.groups())
        elif element.tag.endswith("}text") and colour:
            yield element.text, colour
            colour = None


def luminance(colour):
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(colour, background):
    dark, light = sorted((luminance(colour), luminance(background)))
    return (light + 0.05) / (dark + 0.05)


def inverted(colour):
    """Returns a colour in dark mode: the filters of site.css, invert(0.93) and hue-rotate(180deg)."""
    red, green, blue = (1 - DARKEST - part * (1 - 2 * DARKEST) for part in colour)
    rows = ((-0.574, 1.430, 0.144), (0.426, 0.430, 0.144), (0.426, 1.430, -0.856))
    return [min(max(row[0] * red + row[1] * green + row[2] * blue, 0), 1) for row in rows]


def plots(folder):
    """Yields the plots with lines that are not readable, or in which a subject has another colour than in others."""
    colours = {}
    for plot in filter(is_plot, sorted(folder.glob("*.svg"))):
        lines = list(legend(plot))
        if not lines:
            yield plot, "it has no legend"
        for name, colour in lines:
            subject = name.split(",")[0]
            if colours.setdefault(subject, colour) != colour:
                yield plot, f"{subject} has the colour {colour}, in another plot {colours[subject]}"
            light = [part / 255 for part in colour]
            for mode, line, background in (("light", light, (1, 1, 1)), ("dark", inverted(light), (DARKEST,) * 3)):
                if contrast(line, background) < LOWEST_CONTRAST:
                    yield plot, f"{name} has a contrast of {contrast(line, background):.1f} in {mode} mode"
        for fact in ("Processor: ", "Date: "):
            if fact not in plot.read_text():
                yield plot, f"it does not name its machine: {fact}"
    if not colours:
        yield folder, "it has no plots"


def texts_of_pages(site):
    """Yields the pages that lack what readers see first."""
    latency = (site / "latency.html").read_text()
    introduction, table = re.search(r"</h1>(.*?)<table.*?<tbody>(.*?)</tbody>", latency, re.DOTALL).groups()
    sentences = len(re.findall(r"\.(?:\s|<)", introduction.split("</p>")[0] + "</p>"))
    if (sentences, table.count("<tr")) != (5, 10):
        yield site / "latency.html", f"it begins with {sentences} sentences and {table.count('<tr')} rows, not 5 and 10"
    for page in sorted(site.glob("*.html")):
        for command in re.findall(r"<p><code[^>]*><span[^>]*>scripts/bench.*?</p>", page.read_text(), re.DOTALL):
            if re.search(r"</code>, \d{4}-\d\d-\d\d", command) and ", on " not in command:
                yield page, f"figures do not name their machine: {command}"
    if "scripts/test --quick" not in (site / "quick-start.html").read_text():
        yield site / "quick-start.html", "it does not run the quick tests"


def texts_of_javadoc(site, javadoc):
    for page in javadoc:
        if "internal" in page.relative_to(site).parts:
            yield page, "it is a page of an internal package"
        text = page.read_text()
        if 'id="navbar-top-firstrow"' in text and "java.html\">Documentation</a>" not in text:
            yield page, "it has no link to the pages"


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
    failures += [*plots(site / "_images"), *texts_of_pages(site), *texts_of_javadoc(site, javadoc)]
    browser = start_browser()
    try:
        for mode in ("light", "dark"):
            failures += visit(browser, site, pages, mode)
        failures += visit(browser, site, javadoc, "light")
        failures += search(browser, site)
        failures += copy(browser, pages)
        failures += of_telephone(browser, pages)
    finally:
        browser.quit()
    for file, reason in failures:
        print(f"{file.relative_to(site)}: {reason}", file=sys.stderr)
    print(f"jurom: {len(pages)} pages, {len(javadoc)} pages of Javadoc, {links} links: {len(failures)} failures",
          file=sys.stderr)
    return 1 if failures or not pages or not javadoc else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
