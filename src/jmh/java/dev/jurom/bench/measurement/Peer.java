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
 * A handle to the peer process of a measurement. The processes exchange lines over pipes: first the
 * addresses, then the number of messages to answer in each round.
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

    /** Starts the named peer with the options of this process. */
    static Peer start(String name, MeasurementOptions options) {
        var arguments = new ArrayList<>(List.of(name));
        arguments.addAll(options.toArguments());
        try {
            return new Peer(new ProcessBuilder(JavaProgram.command(PeerMain.class.getName(), arguments))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the peer \"" + name + "\"", e);
        }
    }

    /** Returns the next line of the peer. */
    String read() {
        try {
            var line = input.readLine();
            if (line == null) {
                throw new IllegalStateException("the peer exited");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(String line) {
        output.println(line);
    }

    /** Requests that the peer answers the given number of messages. */
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
