// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/** A tmux terminal that runs a program, with its screen and keyboard. */
final class Pane implements AutoCloseable {

    private static final int WIDTH = 100;
    private static final int HEIGHT = 30;

    private final String server = "jurom-" + UUID.randomUUID();

    /** Starts a program; the pane stays when it has ended, with its exit code on the last line. */
    Pane(List<String> words) {
        this(words, WIDTH, HEIGHT);
    }

    /** Starts a program on a terminal of a size. */
    Pane(List<String> words, int width, int height) {
        Assumptions.assumeTrue(
                Command.execute(List.of("sh", "-c", "command -v tmux")).exitCode() == 0,
                "tmux is not here: apt-get install tmux");
        var line = new StringBuilder();
        words.forEach(
                word -> line.append('\'').append(word.replace("'", "'\\''")).append("' "));
        tmux(
                "new-session",
                "-d",
                "-x",
                "" + width,
                "-y",
                "" + height,
                "env -u NO_COLOR TERM=screen " + line + "; echo \"ended with $?\"; sleep 60");
    }

    private String tmux(String... words) {
        var all = new ArrayList<>(List.of("tmux", "-L", server, "-f", "/dev/null"));
        all.addAll(List.of(words));
        return Command.run(all);
    }

    /** Types keys by their tmux names, such as C-c. */
    void type(String... keys) {
        var words = new ArrayList<>(List.of("send-keys"));
        words.addAll(List.of(keys));
        tmux(words.toArray(String[]::new));
    }

    /** Returns the text of the screen. */
    String screen() {
        return tmux("capture-pane", "-p");
    }

    /** Returns the text of the screen, with colours as escape sequences. */
    String colouredScreen() {
        return tmux("capture-pane", "-p", "-e");
    }

    /** Waits until the screen contains some words. */
    void await(String words) {
        Waiting.until("the screen has \"" + words + "\"", () -> screen().contains(words));
    }

    @Override
    public void close() {
        Command.execute(List.of("tmux", "-L", server, "kill-server"));
    }
}
