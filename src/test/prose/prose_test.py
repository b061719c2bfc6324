#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the rules and the readers of scripts/prose."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "prose"
LOADER = importlib.machinery.SourceFileLoader("prose", str(SCRIPT))
SPECIFICATION = importlib.util.spec_from_loader("prose", LOADER)
prose = importlib.util.module_from_spec(SPECIFICATION)
LOADER.exec_module(prose)

# Sentences that break each rule.
ODD = {
    "fragment": [
        "Whether something is waited for that no command brings.",
        "Takes the free slots; returns a number. Whether it has them all.",
        "What other threads ask for.",
        "What the modules share",
        "How long everything but a command may take.",
        "How a command ended.",
        "Of the calling thread, which becomes the engine thread.",
        "Of Lucene's own tests: each runs with this many seeds.",
        "Those of Spark, which its executors have on their class path.",
    ],
    "person for a program": [
        "A host first says HELLO, once, and then asks",
        "The connection has not said who it is: ",
        "did not finish what it began to say",
        "the kernel does not tell ",
        "nothing that the kernel tells",
        "an older worker, which the daemon no longer knows, exits",
        "The service does not know this host any more",
        "the thread has heard nothing since",
        "What may be null says so: NullAway sees to it",
        "This process cannot find out who it is",
        "the vendor's library wants them",
    ],
    "clause without a noun": [
        "wrote what is no frame",
        "keeps what has been read",
        "@param named what the probe has printed",
        "@return how the command ended",
    ],
    "is no": ["This is no frame: ", "bytes that are no memory", "A directory is no file."],
    "no more, for good": [
        "that thread waits no more",
        "Takes the free slots for good",
        "The new address of this machine is of no use",
        "it has gone within its first message",
    ],
    "who/what as a noun": ["Who reaches a limit receives an error", "room for what the other side sends"],
    "clause before its verb": ["Which of them a point has, its kind says"],
    "passive of people": ["a caller is told so"],
    "give or take back": ["gives it back"],
    "kept for later": ["an interrupt is kept for later"],
    "have X do": ["Has a thread wait for it"],
    "so many, as long as that": ["at most so many"],
    "look for poll": ["an empty look costs less"],
    "people for programs": ["if somebody listens"],
    "one or ones stranded": ["One that does not read"],
    "too at the end": ["and closes the socket, too."],
}

# Sentences that a native reader accepts.
FINE = [
    "Returns whether a command is pending.",
    "@param last whether the command is the last one",
    "@return how many commands are in flight",
    "How to change the wire protocol",
    "How does it work?",
    "Of the 117 survivors, 68 are in lines that no test executes.",
    "Those values are ignored.",
    "The header states the version.",
    "The kernel reports the user of the peer.",
    "The error says what to do.",
    "There is no frame.",
    "The session is no longer open.",
    "This is no different from a release.",
    "waits no more than a second",
    "until there are no more events",
    "The caller knows the size.",
    "The account is `nobody`; run it with --probe-as-nobody.",
]


class RulesTest(unittest.TestCase):
    def test_each_rule_finds_its_examples(self):
        self.assertEqual(set(prose.RULES), set(ODD))
        for name, examples in ODD.items():
            for example in examples:
                with self.subTest(rule=name, example=example):
                    self.assertRegex(example, prose.PATTERNS[name])
                    self.assertIsNotNone(prose.rule_of(example))

    def test_usual_sentences_pass(self):
        for sentence in FINE:
            with self.subTest(sentence=sentence):
                self.assertIsNone(prose.rule_of(sentence))


class ReadersTest(unittest.TestCase):
    def read(self, extension, text):
        return list(prose.READERS[extension](text.split("\n")))

    def test_xml_has_comments_descriptions_and_messages(self):
        text = (
            "<project>\n"
            "    <!-- One line. -->\n"
            "    <name>a name without prose</name>\n"
            "    <description>A description</description>\n"
            "    <!-- A comment of\n"
            "         two lines. -->\n"
            '    <fail message="the task failed"/>\n'
            "    <message>the rule failed</message>\n"
            '    <echo level="info">the build continues</echo>\n'
            "</project>\n"
        )
        self.assertEqual(
            [
                (2, "One line."),
                (4, "A description"),
                (5, "A comment of"),
                (6, "two lines."),
                (7, "the task failed"),
                (8, "the rule failed"),
                (9, "the build continues"),
            ],
            [(number, line.strip()) for number, line in self.read(".xml", text)],
        )

    def test_configuration_has_comments(self):
        self.assertEqual([(2, "Logs warnings.")], self.read(".properties", "level = 3\n# Logs warnings.\n"))

    def test_code_has_comments_and_messages(self):
        text = 'int a; // of no object\n/** Returns it. */\nfail("the worker exited early");\n'
        self.assertEqual(
            ["of no object", "Returns it. ", "the worker exited early"], [line for _, line in self.read(".java", text)])


if __name__ == "__main__":
    unittest.main()
