// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tests hosts of another machine on networks that differ from a local one, and many of them. */
@EnabledIfSystemProperty(named = "jurom.long", matches = "true")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class NetworkConditionsTest {

    private static final int HOSTS = 50; // fewer than --max-workers-per-user
    private static final int SMALLEST_IPV6_MTU = 1280;
    private static final String ANSWER = " bytes from worker ";
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final Duration BUILD_DEADLINE = Duration.ofMinutes(15);

    @TempDir
    private Path folder;

    private static List<String> ping(TwoHosts hosts, String... more) {
        var arguments =
                Stream.concat(Stream.of("ping", "--service", hosts.first().service()), Stream.of(more));
        return Programs.uromWords(arguments.toArray(String[]::new));
    }

    private static void assertServed(TwoHosts hosts, String... more) {
        var result = TwoHosts.run(hosts.distant(), ping(hosts, more));

        assertEquals(0, result.exitCode(), result::output);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitAnswer(Process host, Path output) {
        Waiting.within(DEADLINE, output + " contains an answer", () -> {
            assertTrue(host.isAlive(), () -> text(output));
            return text(output).contains(ANSWER);
        });
    }

    @Test
    void a_host_is_served_over_ipv6_alone() throws IOException {
        try (var hosts = TwoHosts.openWithIpv6(folder)) {
            assertServed(hosts, "-n", "3", "-s", "4000");

            var doctor = TwoHosts.run(
                    hosts.distant(),
                    Programs.uromWords("doctor", "--service", hosts.first().service()));

            assertEquals(0, doctor.exitCode(), doctor::output);
        }
    }

    @Test
    void messages_that_exceed_the_mtu_arrive() throws IOException {
        try (var hosts = TwoHosts.open(folder)) {
            hosts.setMtu(SMALLEST_IPV6_MTU);

            assertServed(hosts, "-n", "1000", "--interval", "0", "--quiet", "-s", "4000");
        }
    }

    @Test
    void a_cut_link_ends_the_workers_of_its_host_and_the_next_host_is_served() throws Exception {
        try (var hosts = TwoHosts.open(folder)) {
            var output = folder.resolve("ping");
            var process = TwoHosts.start(hosts.distant(), output, ping(hosts, "--interval", "0.1"));
            try {
                awaitAnswer(process, output);

                hosts.setWire(false);

                Waiting.within(DEADLINE, "the host notices the cut", () -> !process.isAlive());
                assertEquals(4, process.exitValue(), () -> text(output)); // the worker does not answer
            } finally {
                process.destroyForcibly().waitFor();
            }
            hosts.setWire(true);
            assertServed(hosts, "-n", "1");
        }
    }

    @Test
    void a_host_of_another_version_is_rejected_and_the_next_host_is_served() throws IOException {
        try (var hosts = TwoHosts.open(folder)) {
            var words = ping(hosts, "-n", "1");
            words.add(1, "-Djurom.software.path=" + installationOfAnotherVersion());

            var result = TwoHosts.run(hosts.distant(), words);

            assertTrue(result.exitCode() != 0, result::output);
            assertTrue(result.output().contains("version 3"), result::output);
            assertTrue(result.output().contains("version 4"), result::output);
            assertServed(hosts, "-n", "1");
        }
    }

    /** Builds the C code with another version of the frames. */
    private Path installationOfAnotherVersion() throws IOException {
        var sources = folder.resolve("sources");
        var prefix = folder.resolve("other");
        Files.createDirectories(sources.resolve("src/main"));
        Command.run("cp", "-r", Command.ROOT + "/headers", sources.toString());
        Command.run(
                "cp",
                "-r",
                Command.ROOT + "/src/main/c",
                sources.resolve("src/main").toString());
        var header = sources.resolve("src/main/c/wire/wire.h");
        var original = Files.readString(header);
        var changed = original.replace("#define WIRE_VERSION 3", "#define WIRE_VERSION 4");
        assertTrue(!changed.equals(original), "the version of the frames is no longer 3");
        Files.writeString(header, changed);
        var output = folder.resolve("building");
        var builder = new ProcessBuilder(
                        sources.resolve("src/main/c/build-native").toString(),
                        folder.resolve("build").toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PREFIX", prefix.toString());
        var build = builder.start();
        try {
            Waiting.within(BUILD_DEADLINE, "the software of another version is built", () -> !build.isAlive());
            assertEquals(0, build.exitValue(), () -> text(output));
        } finally {
            build.destroyForcibly();
        }
        return prefix;
    }

    @Test
    void fifty_hosts_are_served_at_the_same_time() throws Exception {
        try (var hosts = TwoHosts.open(folder)) {
            var processes = new ArrayList<Process>();
            var outputs = new ArrayList<Path>();
            try {
                for (var i = 0; i < HOSTS; i++) {
                    outputs.add(folder.resolve("ping" + i));
                    processes.add(TwoHosts.start(
                            hosts.distant(), outputs.getLast(), ping(hosts, "--interval", "1", "--timeout", "60")));
                    // Many starting JVMs would exceed the deadlines of hosts on a machine with two cores.
                    awaitAnswer(processes.get(Math.max(0, i - 1)), outputs.get(Math.max(0, i - 1)));
                }
                awaitAnswer(processes.getLast(), outputs.getLast());
                for (var i = 0; i < HOSTS; i++) {
                    var output = outputs.get(i);
                    assertTrue(processes.get(i).isAlive(), () -> text(output));
                    processes.get(i).destroy();
                }
                for (var i = 0; i < HOSTS; i++) {
                    var output = outputs.get(i);
                    var process = processes.get(i);
                    Waiting.within(DEADLINE, output + " is complete", () -> !process.isAlive());
                    assertEquals(0, process.exitValue(), () -> text(output));
                }
            } finally {
                for (var process : processes) {
                    process.destroyForcibly().waitFor();
                }
            }
        }
    }
}
