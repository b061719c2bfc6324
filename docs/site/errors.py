# SPDX-License-Identifier: Apache-2.0
"""Tables of the page of errors: messages, from the tables in docs and the sources, and statuses."""
import re

SHORTEST = 10  # characters of a part of a message that identify its source
SOURCES = ("src/main", "modules/jurom-service/src/main", "modules/jurom-cli/src/main")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
STATUS = re.compile(r"\b(?:DOCA_ERROR_|DocaError\.)([A-Z_]{3,})\b")


CONSTANT = re.compile(r'/\*\* ([^*]+) \*/\s+([A-Z_]+)\(\s*"[^"]+",\s*"([^"]+)"\)')


def rows(docs):
    """Yields message, remedy and page of each row of the tables that begin with a column for messages."""
    for page in sorted(docs.glob("*.md")):
        inside = False
        for line in page.read_text().splitlines():
            if re.match(r"\| message \| (what to do|action) \|", line):
                inside = True
            elif not line.startswith("|"):
                inside = False
            elif inside and not line.startswith("|---"):
                message, remedy = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
                yield message, remedy.replace("](#", f"]({page.name}#"), page.name


def literals(root):
    """Yields file, text and status of each string literal. Literals that span several lines are joined."""
    for folder in SOURCES:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in (".c", ".java"):
                text = re.sub(r'"\s*\+?\s*"', "", file.read_text())
                for literal in LITERAL.finditer(text):
                    yield file.name, literal[1].replace('\\"', '"'), status(text, literal)


def status(text, literal):
    """Returns the status that the statement with a literal names, or None."""
    begin = max(text.rfind(end, 0, literal.start()) for end in ";{}")
    found = STATUS.search(text, begin, text.find(";", literal.end()))
    return found and found[1]


def origin(message, known):
    """Returns the only status with which the sources use a message, if there is one, and their names."""
    files, statuses = set(), set()
    for quote in re.findall(r"`([^`]+)`", message):
        # "..." stands for the parts of a message that differ, in some tables also a word in capitals.
        longest = max((part.strip() for part in re.split(r"\.\.\.|\bN\b|\bNAME\b", quote)), key=len)
        if len(longest) >= SHORTEST:
            found = [(file, status) for file, text, status in known if longest in text]
            files.update(file for file, _ in found)
            statuses.update(status for _, status in found if status)
    return statuses.pop() if len(statuses) == 1 else None, sorted(files)


def order(row):
    return re.sub(r"^[^a-z]*", "", row[0].lower())


def messages(root):
    """Returns the rows of the tables in docs in Markdown, sorted by the first words of the messages."""
    known = list(literals(root))
    lines = ["| message | what to do |", "|---|---|"]
    for message, remedy, page in sorted(rows(root / "docs"), key=order):
        status, files = origin(message, known)
        notes = [f"status `{status}`"] if status else []
        notes += [f"in {', '.join(f'`{file}`' for file in files)}"] if files else []
        notes += [f"[]({page})"]
        lines.append(f"| {message}<br>{'; '.join(notes)} | {remedy} |")
    return "\n".join(lines)


def statuses(root):
    """Returns the constants of DocaError in Markdown: name, description and remedy."""
    text = (root / "src/main/java/dev/jurom/core/DocaError.java").read_text()
    lines = ["| status | meaning | what to do |", "|---|---|---|"]
    for meaning, name, remedy in CONSTANT.findall(text):
        lines.append(f"| `{name}` | {meaning} | {remedy} |")
    return "\n".join(lines)
