// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A terminal that is drawn anew each time, and whose keys are heard at once. It is as before when
 * this is closed, or the process ends by a signal. Of one thread.
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
    private static final long STTY_MS = 1000;
    private static final long STEP_MS = 20;

    private final Thread atExit = Thread.ofPlatform().unstarted(this::leave);
    private int lines = USUAL_LINES;
    private int columns = USUAL_COLUMNS;

    /** Takes over the terminal that standard input and output are. */
    Screen() throws IOException {
        Runtime.getRuntime().addShutdownHook(atExit);
        stty("-icanon", "-echo", "min", "0");
        System.out.print(ENTER);
    }

    /** Shows these lines, as far as there is room. */
    void draw(List<String> text) throws IOException {
        askSize();
        var shown = new StringBuilder(HOME);
        for (var i = 0; i < Math.min(text.size(), lines); i++) {
            var line = text.get(i);
            shown.append(i == 0 ? "" : "\r\n")
                    .append(line, 0, Math.min(line.length(), columns)).append(PLAIN)
                    .append(TO_LINE_END);
        }
        System.out.print(shown.append(TO_SCREEN_END));
        System.out.flush();
    }

    /** Waits for a key, so long and no longer; negative: none was pressed. */
    int key(long milliseconds) throws IOException, InterruptedException {
        var end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (System.in.available() == 0) {
            if (System.nanoTime() - end >= 0) {
                return -1;
            }
            Thread.sleep(STEP_MS);
        }
        return System.in.read();
    }

    private void askSize() throws IOException {
        var words = stty("size").strip().split(" ");
        if (words.length == 2 && !words[0].equals("0")) {
            lines = Integer.parseInt(words[0]);
            columns = Integer.parseInt(words[1]);
        }
    }

    /** What it prints; nothing if it fails. */
    private static String stty(String... words) throws IOException {
        var command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(words));
        var process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/tty"))
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            if (!process.waitFor(STTY_MS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return "";
            }
            return new String(process.getInputStream().readAllBytes(),
                    StandardCharsets.US_ASCII);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private void leave() {
        System.out.print(LEAVE);
        System.out.flush();
        try {
            stty("sane");
        } catch (IOException e) {
            // The terminal has gone.
        }
    }

    @Override
    public void close() {
        if (Runtime.getRuntime().removeShutdownHook(atExit)) {
            leave();
        }
    }
}
