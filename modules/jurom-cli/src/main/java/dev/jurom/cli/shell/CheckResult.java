// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

/** What a check of something found. */
public enum CheckResult {

    /** As it should be. */
    PASS("pass", Colour.GREEN),
    /** It works, and could be better; or it may not be what is meant. */
    WARN("warn", Colour.YELLOW),
    /** It does not work. */
    FAIL("fail", Colour.RED);

    private final String word;
    private final Colour colour;

    CheckResult(String word, Colour colour) {
        this.word = word;
        this.colour = colour;
    }

    /** For JSON and tables. */
    public String word() {
        return word;
    }

    /** For people, in four columns. */
    public String coloured() {
        return colour.of(word);
    }
}
