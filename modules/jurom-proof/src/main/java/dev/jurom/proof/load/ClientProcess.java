// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.proof.process.JavaProgram;
import dev.jurom.urom.ServiceFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The process of {@link LoadClients}. Not thread-safe. */
final class ClientProcess implements AutoCloseable {

    private static final int ANSWER_MINUTES = 10;
    private static final int EXIT_SECONDS = 20;

    private final Process process;
    private final BufferedReader output;
    private final PrintStream input;

    /** Starts the clients of a service with the given options. */
    ClientProcess(ServiceProcess service, List<String> options) throws IOException {
        var words = new ArrayList<>(options);
        words.addAll(List.of(
                "--socket=" + service.socket(), "--port=" + service.port(1), "--directory=" + service.directory()));
        var builder = new ProcessBuilder(
                JavaProgram.command(LoadClients.class, List.of("-Xmx1g", "-XX:+UseSerialGC"), words));
        builder.environment().put(ServiceFile.VARIABLE, service.serviceFile().toString());
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = process.inputReader();
        input = new PrintStream(process.getOutputStream(), true);
    }

    /** Sends a command and waits for the complete answer. */
    List<String> request(String command) throws InterruptedException {
        input.println(command);
        try {
            return CompletableFuture.supplyAsync(this::answer).get(ANSWER_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException e) {
            throw new CommandFailure(
                    ExitCode.LOST, "the clients did not complete \"" + command + "\": see their output above");
        }
    }

    private List<String> answer() {
        var lines = new ArrayList<String>();
        try {
            for (var line = output.readLine(); !LoadClients.END.equals(line); line = output.readLine()) {
                if (line == null) {
                    throw new IllegalStateException("the clients have exited");
                }
                lines.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    @Override
    public void close() {
        input.close();
        try {
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
