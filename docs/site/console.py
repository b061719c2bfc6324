# SPDX-License-Identifier: Apache-2.0
"""Consoles: blocks with commands after a prompt, such as "$ ", "# " or "ada$ ", and their output."""
import re

from docutils import nodes
from pygments.lexer import Lexer
from pygments.token import Generic, Text

PROMPT = re.compile(r"(?:[a-z]\w*\$|[$#]) ")
HERE_DOCUMENT = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


def lines(text):
    """Yields each line of a console as its prompt, if it has one, the rest, and whether the rest is of a command."""
    continues, end = False, None
    for line in text.splitlines(keepends=True):
        prompt = PROMPT.match(line)
        if continues or end:
            yield "", line, True
            if end == line.strip():
                end = None
        elif prompt:
            yield prompt[0], line[prompt.end():], True
        else:
            yield "", line, False
        if (continues or prompt) and not end:
            found = HERE_DOCUMENT.search(line)
            end = found and found[2]
        continues = not end and (continues or bool(prompt)) and line.rstrip("\n").endswith("\\")


class ConsoleLexer(Lexer):
    """Marks prompts and output: the rest is what users type, and what the copy button copies."""

    name = "console"

    def get_tokens_unprocessed(self, text):
        position = 0
        for prompt, rest, is_command in lines(text):
            if prompt:
                yield position, Generic.Prompt, prompt
            yield position + len(prompt), Text if is_command else Generic.Output, rest
            position += len(prompt) + len(rest)


def parts(text):
    """Yields the parts of a console between which the prompt changes: each is for another shell."""
    part, current = "", None
    for prompt, rest, _ in lines(text):
        if prompt and prompt != current:
            if current:
                yield part
                part = ""
            current = prompt
        part += prompt + rest
    yield part


def mark(app, document):
    """Makes consoles of the blocks without a language that begin with a prompt, with a block for each shell."""
    for block in list(document.findall(nodes.literal_block)):
        text = block.astext()
        if block.get("language", "none") in ("none", "default", "console") and PROMPT.match(text):
            blocks = []
            for part in parts(text + "\n"):
                copy = nodes.literal_block(part.rstrip("\n"), part.rstrip("\n"), language="console")
                copy.source, copy.line = block.source, block.line
                blocks.append(copy)
            block.replace_self(blocks)
