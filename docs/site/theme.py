# SPDX-License-Identifier: Apache-2.0
"""Completes Furo as Debian packages it: not bundled, so that it works on a web server at most, and without the
dark mode of the system, which its compiler drops. Changes nothing if Furo is complete."""
import pathlib
import re
import shutil

NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")
DARK = re.compile(r'body\[data-theme="dark"\] \{[^}]*\}')


def complete(app, error):
    if error or app.builder.name != "html":
        return
    static = pathlib.Path(app.outdir, "_static")
    script = static / "scripts/furo.js"
    text = script.read_text()
    if text.startswith("import Gumshoe"):
        script.write_text((static / "scripts/gumshoe-patched.js").read_text() + text.split("\n", 1)[1])

    style = static / "styles/furo.css"
    text = style.read_text()
    if "@import url(/javascript/normalize.css/normalize.css);" in text:
        shutil.copy(NORMALIZE, style.parent)
        text = text.replace("url(/javascript/normalize.css/normalize.css)", "url(normalize.css)")
    if "prefers-color-scheme" not in text:
        rule = DARK.search(text)[0].replace('body[data-theme="dark"]', 'body:not([data-theme="light"])')
        text += f"\n@media screen and (prefers-color-scheme: dark) {{ {rule} }}\n"
    style.write_text(text)
