// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

/** Colours of words on standard output: only on a terminal, and only if NO_COLOR is not set. */
public enum Colour {

    /** Success. */
    GREEN("32"),
    /** Warnings. */
    YELLOW("33"),
    /** Failures. */
    RED("31"),
    /** Headings. */
    BOLD("1");

    private static final boolean WANTED =
            isWanted(System.getenv("NO_COLOR"), System.getenv("TERM"), Terminal.isOutput());

    private final String code;

    Colour(String code) {
        this.code = code;
    }

    /** Returns whether words are coloured. NO_COLOR has an effect if it is set and not empty. */
    static boolean isWanted(String noColour, String term, boolean terminal) {
        return terminal && (noColour == null || noColour.isEmpty()) && !"dumb".equals(term);
    }

    /** {@return whether colours are used} */
    static boolean areUsed() {
        return WANTED;
    }

    /**
     * Colours a word for standard output.
     *
     * @param word the word
     * @return the word in this colour, or unchanged if colours are not used
     */
    public String of(String word) {
        return WANTED ? "\033[" + code + "m" + word + "\033[0m" : word;
    }
}
