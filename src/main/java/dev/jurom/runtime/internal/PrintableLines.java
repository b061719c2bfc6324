// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Consumer;

/**
 * Makes lines of the bytes that another process wrote: printable ones of bounded length. Memory is
 * bounded as well, whether or not a line ends. One thread at a time.
 */
public final class PrintableLines {

    /** Bytes, or characters of a message, that are kept of a line. */
    private static final int MAX_LENGTH = 4096;

    private static final HexFormat HEX = HexFormat.of();

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** Begins with no bytes. */
    public PrintableLines() {}

    /**
     * Returns a text in which nothing can look like another line, steer a terminal or reverse the
     * direction of writing: such characters become escapes. Text beyond 4096 characters is cut.
     *
     * @param text any text
     * @return printable text
     */
    public static String printable(String text) {
        var printable = new StringBuilder(Math.min(text.length(), MAX_LENGTH));
        text.codePoints().limit(MAX_LENGTH).forEach(c -> {
            if (isPrintable(c)) {
                printable.appendCodePoint(c);
            } else {
                printable.append(c <= 0xFFFF ? "\\u" : "\\U").append(HEX.toHexDigits(c, c <= 0xFFFF ? 4 : 6));
            }
        });
        return printable.toString();
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /**
     * Takes bytes of the other process. The part of a line beyond 4096 bytes is dropped.
     *
     * @param bytes UTF-8; all of them are taken
     * @param output is given each line that is complete, without its end
     */
    public void add(ByteBuffer bytes, Consumer<String> output) {
        while (bytes.hasRemaining()) {
            var next = bytes.get();
            if (next == '\n') {
                end(output);
            } else if (line.size() < MAX_LENGTH) {
                line.write(next);
            }
        }
    }

    /**
     * Ends the line that has begun, if there is one: nothing follows.
     *
     * @param output is given the line
     */
    public void finish(Consumer<String> output) {
        if (line.size() > 0) {
            end(output);
        }
    }

    private void end(Consumer<String> output) {
        output.accept(printable(line.toString(StandardCharsets.UTF_8)));
        line.reset();
    }

    /** Drops the line that has begun. */
    public void clear() {
        line.reset();
    }
}
