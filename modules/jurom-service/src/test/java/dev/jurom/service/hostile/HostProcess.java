// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link ScriptedHost} in a separate process, as another user or in another network namespace. */
final class HostProcess implements AutoCloseable {

    private final Process process;
    private final Path output;
    private int consumed; // characters of the output

    /** Starts a host; {@code before} precedes the command line. */
    HostProcess(AttackedService service, Path folder, List<String> before, String... variables) throws IOException {
        output = Files.createTempFile(folder, "host", ".out");
        var words = new ArrayList<>(before);
        words.addAll(List.of("env", "-i", "PATH=/usr/bin:/bin"));
        words.addAll(List.of(variables));
        words.addAll(service.java(ScriptedHost.class.getName()));
        process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Returns the words that run a program as another user. */
    static List<String> asUser(String user, String group) {
        return List.of("setpriv", "--reuid", user, "--regid", group, "--init-groups", "--");
    }

    /** Returns the process id of the Java program, which replaces the preceding command. */
    long pid() {
        return process.pid();
    }

    /** Sends a command. */
    void send(String command) {
        try {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for an answer and returns it with the preceding log lines. */
    String answer() {
        var answer = new String[1];
        Waiting.until("the host answers", () -> {
            var text = text().substring(consumed);
            var begin = text.startsWith("= ") ? 0 : text.indexOf("\n= ");
            var end = begin < 0 ? -1 : text.indexOf('\n', begin + 1);
            if (end < 0 && !process.isAlive()) {
                throw new AssertionError("the host exited: " + text);
            }
            answer[0] = end < 0 ? null : text.substring(0, end);
            return end >= 0;
        });
        consumed += answer[0].length() + 1;
        return answer[0];
    }

    /** Sends a command and waits for the answer. */
    String ask(String command) {
        send(command);
        return answer();
    }

    private String text() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Waiting.until("the host exited", () -> !process.isAlive());
    }
}
