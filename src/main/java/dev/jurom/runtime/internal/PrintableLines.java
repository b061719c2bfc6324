// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Consumer;

/**
 * Splits the bytes that another process has written into printable lines of bounded length. The
 * memory is bounded as well, even if a line does not end. Not thread-safe.
 */
public final class PrintableLines {

    /** The maximum number of bytes of a line, or characters of a text. */
    private static final int MAX_LENGTH = 4096;

    private static final HexFormat HEX = HexFormat.of();

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** Creates an instance without bytes. */
    public PrintableLines() {}

    /**
     * Returns a text with escapes for characters that could imitate another line, control a
     * terminal or change the text direction. Text beyond 4096 characters is truncated.
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
     * Adds bytes of the other process. The part of a line beyond 4096 bytes is dropped.
     *
     * @param bytes UTF-8; all of them are consumed
     * @param output receives each complete line, without its terminator
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
     * Completes a partial line at the end of the input.
     *
     * @param output receives the line
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

    /** Drops a partial line. */
    public void clear() {
        line.reset();
    }
}
