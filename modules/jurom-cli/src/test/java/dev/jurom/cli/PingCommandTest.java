// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PingCommandTest {

    @TempDir
    private Path folder;

    @Test
    void each_answer_is_a_line_and_the_summary_has_the_figures() throws Exception {
        var svg = folder.resolve("times.svg");

        var result = Programs.uromFrom(
                Map.of(), "ping", "-n", "3", "--interval", "0.01", "--size", "100", "--svg", svg.toString());

        assertEquals(ExitCode.DONE, result.exitCode(), result::error);
        assertEquals(
                3,
                lines(result.output(), "100 bytes from worker \\d+: command=[123] time=" + "[\\d.]+ us"),
                result::output);
        assertEquals(1, lines(result.output(), "3 commands of 100 bytes, 3 answers, .* s"));
        assertEquals(
                1, lines(result.output(), "min [\\d.]+, p50 [\\d.]+, p99 [\\d.]+, max [\\d.]+ us"), result::output);
        var drawing = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(svg.toFile())
                .getDocumentElement();
        assertEquals("svg", drawing.getTagName());
        assertTrue(drawing.getTextContent().contains("3 answers"), drawing::getTextContent);
    }

    @Test
    void standard_output_contains_only_json() {
        var result = Programs.uromFrom(Map.of(), "ping", "-n", "2", "--interval", "0", "--json");

        assertEquals(ExitCode.DONE, result.exitCode(), result::error);
        assertEquals(
                2, lines(result.output(), "\\{\"command\": [12], \"bytes\": 64, \"time_ns\": \\d+}"), result::output);
        assertEquals(
                1,
                lines(
                        result.output(),
                        "\\{\"commands\": 2, \"answers\": 2, .*\"min_ns\": "
                                + "\\d+, \"p50_ns\": \\d+, \"p99_ns\": \\d+, \"max_ns\": \\d+}"),
                result::output);
        assertEquals(3, result.output().lines().count());
        assertEquals("", result.error());
    }

    @Test
    void raw_results_are_json_lines_and_a_histogram_log() throws IOException {
        var raw = folder.resolve("ping.jsonl");

        var result =
                Programs.uromFrom(Map.of(), "ping", "-n", "3", "--interval", "0", "--quiet", "--raw", raw.toString());

        assertEquals(ExitCode.DONE, result.exitCode(), result::error);
        var written = Files.readAllLines(raw);
        assertEquals(2, written.size(), written::toString);
        assertTrue(
                written.getFirst()
                        .matches("\\{\"measurement\": \"ping\", .*\"processor\": .*\"caches\": .*\"governor\": "
                                + ".*\"kernel\": .*\"java\": .*}"),
                written::getFirst);
        assertTrue(written.getLast().startsWith("{\"commands\": 3, \"answers\": 3, "), written::getLast);
        try (var log = new HistogramLogReader(folder.resolve("ping.jsonl.hlog").toFile())) {
            var times = log.nextIntervalHistogram();
            assertEquals("64_bytes", times.getTag());
            assertEquals(3, ((AbstractHistogram) times).getTotalCount());
        }
    }

    @Test
    void it_prints_its_summary_on_sigterm() throws IOException {
        var output = folder.resolve("output");
        var ping = new ProcessBuilder(Programs.uromWords("ping", "--interval", "0.02"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            Waiting.until("some answers", () -> read(output).contains("command=3 "));

            ping.destroy(); // SIGTERM; TerminalTest covers Ctrl-C

            Waiting.until("it has ended", () -> !ping.isAlive());
            assertEquals(ExitCode.DONE, ping.exitValue(), () -> read(output));
            assertEquals(1, lines(read(output), "min .* us"), () -> read(output));
        } finally {
            ping.destroyForcibly();
        }
    }

    @Test
    void a_service_that_ends_meanwhile_is_reported_after_the_summary() throws IOException {
        var output = folder.resolve("output");
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            var ping = new ProcessBuilder(Programs.uromWords(
                            "ping",
                            "--interval",
                            "0.02",
                            "--service",
                            folder.resolve("services").toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                Waiting.until("some answers", () -> read(output).contains("command=3 "));

                daemon.close(); // SIGKILL: its workers leave with it

                Waiting.until("it has ended", () -> !ping.isAlive());
                assertEquals(ExitCode.LOST, ping.exitValue(), () -> read(output));
                assertEquals(1, lines(read(output), "min .* us"), () -> read(output));
                assertEquals(1, lines(read(output), "urom: .*"), () -> read(output));
            } finally {
                ping.destroyForcibly();
            }
        }
    }

    @Test
    void a_short_run_warms_up_with_ten_commands_for_each_reported_one() {
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            var services = folder.resolve("services").toString();

            var result = Programs.uromFrom(Map.of(), "ping", "-n", "2", "-i", "0", "--service", services);

            assertEquals(ExitCode.DONE, result.exitCode(), result::error);
            Waiting.until("the service has counted the answers", () -> {
                var answers = Pattern.compile("(?m)^jurom_daemon_ended_answers_total\\{.*} ([1-9]\\d*)$")
                        .matcher(Programs.uromFrom(Map.of(), "metrics", "--service", services)
                                .output());
                if (answers.find()) {
                    assertTrue(Integer.parseInt(answers.group(1)) <= 22, answers.group());
                    return true;
                }
                return false;
            });
        }
    }

    @Test
    void sizes_out_of_range_are_rejected() {
        var result = Programs.uromHere("ping", "--size", "5000");

        assertEquals(ExitCode.USAGE, result.exitCode());
        assertTrue(result.error().contains("--size is 5000 and must be from 16 to "), result::error);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long lines(String text, String pattern) {
        return text.lines().filter(Pattern.compile(pattern).asMatchPredicate()).count();
    }
}
