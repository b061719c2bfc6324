// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.linux.CapturedOutput;
import dev.jurom.service.processes.LaunchedProcess;
import dev.jurom.service.processes.Launcher;
import dev.jurom.service.processes.ProcessEnd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Determines the properties of a plugin in a separate process, because a library runs code when it is loaded, and
 * may crash, hang or print anything.
 */
public final class PluginProbe {

    /** A variable of workers and probes: the files of the plugins in this folder are those of this process. */
    public static final String LINKED_PLUGINS = "JUROM_LINKED_PLUGINS";

    /** The result of a probe. */
    sealed interface Answer {}

    /**
     * The file is a plugin, which runs code from further files, and may open UCX unless it declares that it does not.
     */
    record Version(long version, List<Path> files, boolean usesUcx) implements Answer {}

    /** The file is not a plugin. */
    record Refusal(String reason) implements Answer {}

    private static final Pattern VERSION = Pattern.compile("version=(\\d{1,20})");
    private static final String FILE = "file=";
    private static final String WITHOUT_UCX = "ucx=no";
    private static final int MAX_OUTPUT = 1 << 20; // the capacity of urom_worker's pipe
    private static final int MAX_REASON = 300;

    private final Launcher launcher;
    private final LibraryPath libraries;
    private final Supplier<Optional<Path>> linked;
    private final Duration deadline;
    private final boolean asNobody;
    private final Set<LaunchedProcess> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Creates a probe that runs a worker program.
     *
     * @param launcher starts the processes
     * @param libraries the folders of the libraries that plugins need
     * @param linked returns the folder of plugins with the class path of this process, if there are any
     * @param deadline maximum time for one plugin, after which its process is killed
     * @param asNobody whether the process first drops its privileges, because plugins of other users' workers
     *        must not gain more than those have
     */
    public PluginProbe(
            Launcher launcher,
            LibraryPath libraries,
            Supplier<Optional<Path>> linked,
            Duration deadline,
            boolean asNobody) {
        this.launcher = launcher;
        this.libraries = libraries;
        this.linked = linked;
        this.deadline = deadline;
        this.asNobody = asNobody;
    }

    /** Ends running probes; further ones are refused. Does not block. */
    public void close() {
        closed = true;
        running.forEach(LaunchedProcess::kill);
    }

    /** Runs {@code urom_worker --probe FILE}. */
    Answer probe(Path file) throws IOException, InterruptedException {
        var output = new CapturedOutput();
        var end = new CompletableFuture<ProcessEnd>();
        var process = start(file, output, end);
        running.add(process);
        try {
            return closed ? new Refusal("the service ends") : await(end, output);
        } finally {
            running.remove(process);
            process.kill();
            end.thenRun(output::close); // when the launcher no longer needs the descriptor
        }
    }

    private LaunchedProcess start(Path file, CapturedOutput output, CompletableFuture<ProcessEnd> end)
            throws IOException {
        // Only workers of the service's own user load a file that other users cannot read.
        var drops = asNobody && TrustedPath.closedComponent(file) == null;
        var environment = new HashMap<>(Launcher.environment());
        libraries.addTo(environment);
        linked.get().ifPresent(folder -> environment.put(LINKED_PLUGINS, folder.toString()));
        try {
            return launcher.probe(file, drops, environment, output.descriptor(), end::complete);
        } catch (IOException e) {
            output.close();
            throw e;
        }
    }

    private Answer await(CompletableFuture<ProcessEnd> end, CapturedOutput output)
            throws IOException, InterruptedException {
        try {
            return switch (end.get(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
                case ProcessEnd.Exited exited ->
                    answer(exited.status(), new String(output.read(MAX_OUTPUT), StandardCharsets.UTF_8));
                case ProcessEnd.NotStarted failure -> throw new IOException(failure.reason());
                case ProcessEnd.LauncherEnded ended -> throw new IOException("the launcher of the service has ended");
            };
        } catch (TimeoutException e) {
            return new Refusal("loading it takes longer than " + deadline.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw new AssertionError("a process always ends normally", e);
        }
    }

    private static Answer answer(int exitStatus, String output) {
        if (exitStatus != 0) {
            var reason = lastLine(output);
            return new Refusal(reason.isEmpty() ? "loading it ends a process with exit status " + exitStatus : reason);
        }
        return output.lines()
                .map(VERSION::matcher)
                .filter(matcher -> matcher.matches())
                .reduce((first, second) -> second)
                .<Answer>map(matcher -> version(
                        matcher.group(1), files(output), !lastLine(output).equals(WITHOUT_UCX)))
                .orElseGet(() -> new Refusal("it ends the process that loads it"));
    }

    private static List<Path> files(String output) {
        return output.lines()
                .filter(line -> line.startsWith(FILE))
                .map(line -> Path.of(line.substring(FILE.length())))
                .toList();
    }

    private static Answer version(String digits, List<Path> files, boolean usesUcx) {
        try {
            return new Version(Long.parseUnsignedLong(digits), files, usesUcx);
        } catch (NumberFormatException e) {
            return new Refusal("its version " + digits + " has more than 64 bits");
        }
    }

    private static String lastLine(String output) {
        var line = output.lines().filter(text -> !text.isBlank()).reduce("", (a, b) -> b);
        return line.substring(0, Math.min(line.length(), MAX_REASON));
    }
}
