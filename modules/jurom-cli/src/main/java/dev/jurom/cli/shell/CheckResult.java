// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

/** The result of a check. */
public enum CheckResult {

    /** The check passed. */
    PASS("pass", Colour.GREEN),
    /** It works, but not optimally, or possibly not as intended. */
    WARN("warn", Colour.YELLOW),
    /** It does not work. */
    FAIL("fail", Colour.RED);

    private final String word;
    private final Colour colour;

    CheckResult(String word, Colour colour) {
        this.word = word;
        this.colour = colour;
    }

    /** {@return the word for JSON and tables} */
    public String word() {
        return word;
    }

    /** {@return the word for terminals, padded to four columns} */
    public String coloured() {
        return colour.of(word);
    }
}
