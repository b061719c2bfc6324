// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process on the other side of a measurement, as this process sees it. They exchange lines over
 * pipes: first what they need to find each other, then one number a round, the messages to answer.
 */
final class Peer implements AutoCloseable {

    private final Process process;
    private final BufferedReader input;
    private final PrintStream output;

    private Peer(Process process) {
        this.process = process;
        this.input = new BufferedReader(new InputStreamReader(process.getInputStream()));
        this.output = new PrintStream(process.getOutputStream(), true);
    }

    /** Starts the peer of a name, with this process's options. */
    static Peer start(String name, MeasurementOptions options) {
        var arguments = new ArrayList<>(List.of(name));
        arguments.addAll(options.toArguments());
        try {
            return new Peer(new ProcessBuilder(JavaProgram.command(PeerMain.class.getName(), arguments))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("The peer \"" + name + "\" could not be started", e);
        }
    }

    /** The next line that the peer says. */
    String read() {
        try {
            var line = input.readLine();
            if (line == null) {
                throw new IllegalStateException("The peer has ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(String line) {
        output.println(line);
    }

    /** Has the peer answer so many messages. */
    void begin(int messages) {
        write(Integer.toString(messages));
    }

    @Override
    public void close() {
        output.close();
        try {
            if (process.waitFor(5, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
