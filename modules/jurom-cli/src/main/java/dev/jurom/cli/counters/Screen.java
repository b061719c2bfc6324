// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import dev.jurom.cli.shell.Colour;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A terminal that is redrawn as a whole and delivers keys immediately. Closing it, or a signal
 * that ends the process, restores the terminal. This class is not thread-safe.
 */
final class Screen implements AutoCloseable {

    private static final String ENTER = "\033[?1049h\033[?25l";
    private static final String LEAVE = "\033[?25h\033[?1049l";
    private static final String PLAIN = "\033[0m";
    private static final String HOME = "\033[H";
    private static final String TO_LINE_END = "\033[K";
    private static final String TO_SCREEN_END = "\033[J";
    private static final int USUAL_LINES = 24;
    private static final int USUAL_COLUMNS = 80;
    private static final long COMMAND_MS = 1000;
    private static final long STEP_MS = 20;
    private static final int SUSPEND = 0x1a; // Ctrl-Z
    private static final int ESCAPE = 0x1b;

    /** The keys of {@link #key} that terminals send as sequences. */
    static final int UP = 0x100;

    static final int DOWN = 0x101;
    static final int PAGE_UP = 0x102;
    static final int PAGE_DOWN = 0x103;

    private static final Map<String, Integer> SEQUENCES =
            Map.of("[A", UP, "OA", UP, "[B", DOWN, "OB", DOWN, "[5~", PAGE_UP, "[6~", PAGE_DOWN);

    private final Thread atExit =
            Thread.ofPlatform().inheritInheritableThreadLocals(false).unstarted(this::leave);
    private final String settings;
    private int lines = USUAL_LINES;
    private int columns = USUAL_COLUMNS;

    /** Takes over the terminal of standard input and output. */
    Screen() throws IOException {
        settings = stty("-g").strip();
        Runtime.getRuntime().addShutdownHook(atExit);
        enter();
    }

    private void enter() throws IOException {
        // Ctrl-Z is read as a key, so that the terminal is restored before this process stops.
        stty("-icanon", "-echo", "min", "0", "susp", "undef");
        System.out.print(ENTER);
    }

    /**
     * Reads the size of the terminal for the next {@link #draw} and returns its width in columns.
     */
    int queryWidth() throws IOException {
        var words = stty("size").strip().split(" ");
        if (words.length == 2 && !words[0].equals("0")) {
            lines = Integer.parseInt(words[0]);
            columns = Integer.parseInt(words[1]);
        }
        return columns;
    }

    /**
     * Returns how many rows of a table there is room for, below lines and a heading and above a last line.
     */
    int rows(int textLines) {
        return Math.max(1, lines - textLines - 3);
    }

    /**
     * Draws lines, the heading of a table and rows, and lines in the place of those below.
     */
    void draw(List<String> text, String heading, List<String> rows, List<String> below) {
        var shown = new ArrayList<>(text.stream().map(this::cut).toList());
        shown.add("");
        shown.add(Colour.BOLD.of(cut(heading)));
        rows.stream().map(this::cut).forEach(shown::add);
        below.stream().map(this::cut).forEach(shown::add);
        System.out.print(shown.stream()
                .limit(lines)
                .map(line -> line + PLAIN + TO_LINE_END)
                .collect(Collectors.joining("\r\n", HOME, TO_SCREEN_END)));
        System.out.flush();
    }

    private String cut(String line) {
        return line.substring(0, Math.min(line.length(), columns));
    }

    /**
     * Waits for a key for at most the given time in milliseconds; returns -1 if none was pressed.
     */
    int key(long milliseconds) throws IOException, InterruptedException {
        var end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (System.in.available() == 0) {
            if (System.nanoTime() - end >= 0) {
                return -1;
            }
            Thread.sleep(STEP_MS);
        }
        var key = System.in.read();
        if (key == SUSPEND) {
            suspend();
        }
        return key == ESCAPE ? sequence() : key;
    }

    /** Reads the rest of a sequence, which has arrived with its beginning; returns its key, or else -1. */
    private static int sequence() throws IOException {
        var rest = new StringBuilder();
        while (System.in.available() > 0 && !SEQUENCES.containsKey(rest.toString())) {
            rest.append((char) System.in.read());
        }
        return SEQUENCES.getOrDefault(rest.toString(), -1);
    }

    /** Stops the process group, as the terminal does on Ctrl-Z. */
    private void suspend() throws IOException {
        leave();
        run("sh", "-c", "kill -TSTP 0"); // ignored if no shell could continue it
        enter();
    }

    private static String stty(String... words) throws IOException {
        var command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(words));
        return run(command.toArray(String[]::new));
    }

    /** Returns the output of a command; empty if it fails. */
    private static String run(String... command) throws IOException {
        var process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/tty"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(COMMAND_MS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return "";
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private void leave() {
        System.out.print(LEAVE);
        System.out.flush();
        try {
            stty(settings.isEmpty() ? "sane" : settings);
        } catch (IOException e) {
            // The terminal was closed.
        }
    }

    @Override
    public void close() {
        if (Runtime.getRuntime().removeShutdownHook(atExit)) {
            leave();
        }
    }
}
