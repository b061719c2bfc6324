// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A child process whose output is written to a log file. */
final class Child implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(120); // on a loaded machine
    private static final Duration END = Duration.ofSeconds(20);

    private final String name;
    private final Path log;
    private final Process process;

    private Child(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    static Child start(Path folder, String name, Map<String, String> environment, List<String> command)
            throws IOException {
        var log = folder.resolve(name + ".log");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new Child(name, log, builder.start());
    }

    /** Waits until the log contains a pattern. Returns its first group. */
    String await(Pattern pattern) throws IOException, InterruptedException {
        var end = System.nanoTime() + START.toNanos();
        while (process.isAlive() && System.nanoTime() - end < 0) {
            var matcher = pattern.matcher(Files.readString(log));
            if (matcher.find()) {
                return matcher.group(1);
            }
            Thread.sleep(50);
        }
        throw new IllegalStateException(
                name + (process.isAlive() ? " did not start in time" : " has exited") + ":\n" + Files.readString(log));
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Returns the CPU time of its children, as the executors of a worker of Spark are. */
    Duration cpuOfChildren() {
        return process.children().map(Child::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns the CPU time of the children of its children, as the workers of a service are. */
    Duration cpuOfGrandchildren() {
        return process.children()
                .flatMap(ProcessHandle::children)
                .map(Child::cpu)
                .reduce(Duration.ZERO, Duration::plus);
    }

    static Duration cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Ends the process and its descendants. */
    @Override
    public void close() {
        var descendants = process.descendants().toList();
        process.destroy();
        try {
            process.waitFor(END.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Stream.concat(Stream.of(process.toHandle()), descendants.stream()).forEach(ProcessHandle::destroyForcibly);
    }
}
