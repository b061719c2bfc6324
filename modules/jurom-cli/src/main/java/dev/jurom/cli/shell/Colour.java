// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

/** Colours of words on standard output: on a terminal alone, and not where NO_COLOR is set. */
public enum Colour {

    /** What is well. */
    GREEN("32"),
    /** What somebody should look at. */
    YELLOW("33"),
    /** What is wrong. */
    RED("31"),
    /** What names the rest, such as a heading. */
    BOLD("1");

    private static final boolean WANTED =
            isWanted(System.getenv("NO_COLOR"), System.getenv("TERM"), Terminal.isOutput());

    private final String code;

    Colour(String code) {
        this.code = code;
    }

    /** Whether words are coloured: NO_COLOR counts when it is set and not empty. */
    static boolean isWanted(String noColour, String term, boolean terminal) {
        return terminal && (noColour == null || noColour.isEmpty()) && !"dumb".equals(term);
    }

    /** Whether colours are used at all. */
    public static boolean areUsed() {
        return WANTED;
    }

    /** A word in this colour, or as it is. */
    public String of(String word) {
        return WANTED ? "\033[" + code + "m" + word + "\033[0m" : word;
    }
}
