// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests {@code stat}, {@code top}, {@code errors} and {@code metrics} on a service of this process.
 */
class CountersCommandsTest {

    private static final int COMMANDS = 500;
    /** The counter file of the worker. */
    private static final String MEMORY = "/proc/%d/fd/5";

    private static final int KIND_AT = 12; // from here to the worker's id, the header identifies the process
    private static final int HEADER_END = 56;
    private static final int START_FIELD = 21; // of /proc/PID/stat

    private static final Path MONITORING = Command.ROOT.resolve("src/main/monitoring");

    @TempDir
    private Path folder;

    private EmbeddedService service;
    private Urom urom;
    private Worker worker;

    @BeforeEach
    void open() throws Exception {
        service = EmbeddedService.open();
        urom = Urom.open();
        worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        for (var i = 0L; i < COMMANDS; i++) {
            worker.call(LOOPBACK, i);
        }
        Waiting.within( // the service publishes changes with a short delay
                Duration.ofSeconds(10),
                "the status of the service has the worker",
                () -> urom("stat", "--json").output().contains("\"answers\": " + COMMANDS + ","));
    }

    @AfterEach
    void close() {
        urom.close();
        service.close();
    }

    private Path directory() {
        return Path.of(service.address().replaceFirst("^unix:", "")).getParent();
    }

    /** Returns the label {@code service} of a service that has chosen its address. */
    private String name() {
        return directory().getFileName().toString();
    }

    private Programs.Printed urom(String command, String... words) {
        var all = new ArrayList<>(List.of(command, "--service", service.address()));
        all.addAll(List.of(words));
        return Programs.uromHere(all.toArray(String[]::new));
    }

    /** Submits a command that every plugin rejects. */
    private void fail() {
        var unknown = Offload.<Integer, Long>of(
                GraphPlugin.NAME, GraphPlugin.VERSION, (length, payload) -> length, GraphCodec::loopbackData);
        assertThrows(DocaException.class, () -> worker.call(unknown, 3));
    }

    @Test
    void stat_prints_what_service_worker_and_host_have_counted() {
        var printed = urom("stat");

        assertEquals(0, printed.exitCode(), printed.error());
        assertTrue(
                printed.output()
                        .contains("process                  "
                                + ProcessHandle.current().pid() + "\n"),
                printed.output());
        assertTrue(
                printed.output()
                        .matches("(?s).*\nworkers\n  worker  process  in flight  answers"
                                + ".*\n  1 +[0-9]+ +0 +" + COMMANDS + " .*\nhosts\n  program.*\n  java +"
                                + ProcessHandle.current().pid() + " +" + COMMANDS + " +" + COMMANDS + " .*"),
                printed.output());
    }

    @Test
    void stat_prints_one_json_object() {
        var printed = urom("stat", "--json");

        assertEquals(0, printed.exitCode(), printed.error());
        assertEquals(1, printed.output().lines().count());
        assertTrue(printed.output().contains("\"answers\": " + COMMANDS + ","), printed.output());
        assertTrue(printed.output().contains("\"completions\": " + COMMANDS + ","), printed.output());
    }

    @Test
    void a_damaged_file_is_reported_in_one_line_and_the_others_are_shown() throws IOException {
        var damaged = directory().resolve("w-0.counters");
        Files.writeString(damaged, "JUROMCNT and then nothing");

        var printed = urom("stat");

        assertEquals(6, printed.exitCode());
        assertEquals("urom: " + damaged + " is not a valid counters file: it is too short\n", printed.error());
        assertTrue(printed.output().contains(" " + COMMANDS + " "), printed.output());
    }

    @Test
    void without_a_service_the_commands_fail() {
        urom.close();
        service.close();

        for (var command : List.of("stat", "top", "errors")) {
            var printed = urom(command);

            assertEquals(3, printed.exitCode(), command);
            assertEquals(1, printed.error().lines().count(), printed.error());
            assertEquals("", printed.output());
        }
    }

    @Test
    void metrics_report_no_service_if_the_service_file_is_missing() throws Exception {
        var missing = folder.resolve("missing").toString();

        var printed = Programs.uromFrom(Map.of(ServiceFile.VARIABLE, missing), "metrics");

        assertEquals(0, printed.exitCode(), printed.error());
        assertTrue(printed.output().contains("\njurom_services 0\n"), printed.output());
        assertTrue(printed.output().contains("\njurom_service_up{service=\"" + missing + "\"} 0\n"), printed.output());
        try (var server = new MetricsServer(missing);
                var client = HttpClient.newHttpClient()) {
            var page = get(client, server.address());
            assertEquals(200, page.statusCode());
            assertTrue(page.body().contains("\njurom_services 0\n"), page.body());
        }
    }

    @Test
    void metrics_that_fail_print_nothing_and_return_an_error() throws IOException {
        var broken = Files.writeString(folder.resolve("services"), "broken\n").toString();

        var printed = Programs.uromFrom(Map.of(), "metrics", "--service", broken);

        assertEquals(6, printed.exitCode(), printed.error());
        assertEquals("", printed.output());
    }

    /** The private service of this process continues. */
    @Test
    void metrics_report_a_daemon_that_is_blocked_or_stopped() {
        var address = "unix:" + folder.resolve("socket");
        var user = System.getProperty("user.name");
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            assertEquals(
                    List.of("jurom_service_up{service=\"" + address + "\",user=\"" + user + "\"} 1"),
                    states(Programs.uromFrom(Map.of(), "metrics"), address));
            daemon.pause();
            assertEquals(
                    List.of("jurom_service_up{service=\"" + address + "\",user=\"" + user + "\"} 0"),
                    states(Programs.uromFrom(Map.of(), "metrics"), address));
        }
        assertEquals(List.of(), states(Programs.uromFrom(Map.of(), "metrics"), address));
        assertEquals(
                List.of("jurom_service_up{service=\"" + address + "\"} 0"),
                states(Programs.uromFrom(Map.of(), "metrics", "--service", address), address));
    }

    /** Returns the states of services with this address; the private service has none. */
    private List<String> states(Programs.Printed printed, String address) {
        assertEquals(0, printed.exitCode(), printed.error());
        var states = printed.output()
                .lines()
                .filter(line -> line.startsWith("jurom_service_up{"))
                .toList();
        assertTrue(states.stream().noneMatch(line -> line.contains(name())), states::toString);
        return states.stream().filter(line -> line.contains(address)).toList();
    }

    @Test
    void top_prints_lines_without_a_terminal() throws Exception {
        var done = new AtomicBoolean();
        var load = Thread.startVirtualThread(() -> {
            try {
                for (var i = 0L; !done.get(); i++) {
                    worker.call(LOOPBACK, i);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            var printed = urom("top", "-n", "1");

            assertEquals(0, printed.exitCode(), printed.error());
            assertTrue(
                    printed.output()
                            .matches("worker +state +process +user +cpu% +mem MiB"
                                    + " +commands/s +in flight +waiting +refused +errors +p50 us +p99 us\n"
                                    + "1 +\\w+ +[0-9]+ +\\S+ +[0-9.]+ +[0-9.]+ +[1-9][0-9]* +[01] +0 +0 +0 +[0-9.]+"
                                    + " +[0-9.]+\n"),
                    printed.output());
        } finally {
            done.set(true);
            load.join(Waiting.DEADLINE);
        }
    }

    @Test
    void a_worker_that_lies_about_itself_is_shown_as_the_service_knows_it() throws IOException {
        var process = ServiceFixture.workerProcesses().getFirst().pid();
        lie(MEMORY.formatted(process));

        var top = urom("top", "-n", "1", "--json");
        var metrics = urom("metrics");
        var stat = urom("stat", "--json");

        var identity = "\"worker\": \"1\", \"state\": \"sleeps\", \"process\": " + process + ", ";
        assertTrue(top.output().contains(identity), top::output);
        assertTrue(
                metrics.output()
                        .contains("process=\"" + process + "\",service=\"" + name() + "\",user=\""
                                + System.getProperty("user.name") + "\",worker=\"1\"} " + COMMANDS),
                metrics::output);
        assertTrue(stat.output().contains("{\"worker\": \"1\", \"process\": " + process + ", "), stat::output);
    }

    /** Makes a counter file claim to be the service's, of this process. */
    private static void lie(String memory) throws IOException {
        var own = Files.readString(Path.of("/proc/self/stat")).split(" ");
        var header = ByteBuffer.allocate(HEADER_END - KIND_AT)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(1)
                .putLong(8960)
                .putLong(Long.parseLong(own[0]))
                .putLong(Long.parseLong(own[START_FIELD]))
                .putLong(0)
                .putLong(77)
                .flip();
        try (var file = FileChannel.open(Path.of(memory), StandardOpenOption.WRITE)) {
            file.write(header, KIND_AT);
        }
    }

    @Test
    void top_on_a_terminal_sorts_by_key_and_ends_on_q() {
        var session = "jurom-" + UUID.randomUUID();
        var words = String.join(" ", Programs.uromWords("top", "--service", service.address()));
        Command.run(
                "tmux",
                "new-session",
                "-d",
                "-s",
                session,
                "-x",
                "120",
                "-y",
                "24",
                words + "; echo ended with $?; read");
        try {
            Waiting.until("the workers are shown", () -> {
                var screen = screen(session);
                return screen.contains(
                                "urom top - service " + ProcessHandle.current().pid())
                        && screen.contains("hosts 1, workers 1 (0 killed), refused 0, errors 0")
                        && screen.contains("sorted by commands")
                        && screen.lines().anyMatch(line -> line.matches("1 +sleeps .*"));
            });

            Command.run("tmux", "send-keys", "-t", session, "c");
            Waiting.until("it sorts by CPU", () -> screen(session).contains("sorted by cpu"));

            Command.run("tmux", "send-keys", "-t", session, "q");
            Waiting.until(
                    "it has ended, and the terminal is as before",
                    () -> screen(session).strip().equals("ended with 0"));
        } finally {
            Command.run("tmux", "kill-session", "-t", session);
        }
    }

    @Test
    void top_scrolls_and_states_how_many_workers_are_hidden() throws InterruptedException {
        for (var i = 0; i < 11; i++) {
            urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        }
        try (var pane =
                new Pane(Programs.uromWords("top", "--sort", "worker", "--service", service.address()), 140, 11)) {
            pane.await("Workers 1 to 6 of 12, 6 hidden: the arrow and page keys scroll");
            pane.type("Down");
            pane.await("Workers 2 to 7 of 12");
            pane.type("NPage");
            pane.await("Workers 7 to 12 of 12");
            assertTrue(pane.screen().lines().anyMatch(line -> line.startsWith("12 ")), pane::screen);
            pane.type("PPage", "Up", "Up");
            pane.await("Workers 1 to 6 of 12");
            pane.type("q");
            pane.await("ended with 0");
        }
    }

    @Test
    void top_omits_columns_on_a_narrow_terminal_and_stops_on_control_z() {
        var session = "jurom-" + UUID.randomUUID();
        Command.run("tmux", "new-session", "-d", "-s", session, "-x", "80", "-y", "24", "env PS1='$ ' bash --norc -i");
        try {
            Command.run(
                    "tmux",
                    "send-keys",
                    "-t",
                    session,
                    "-l",
                    String.join(" ", Programs.uromWords("top", "--service", service.address())));
            Command.run("tmux", "send-keys", "-t", session, "Enter");
            Waiting.until(
                    "the columns that fit are shown",
                    () -> screen(session)
                            .lines()
                            .anyMatch(line -> line.matches("worker +.*process +.*commands/s +.*p99 us")));
            assertTrue(screen(session).contains("\nNo room for refused, waiting"), screen(session));

            Command.run("tmux", "send-keys", "-t", session, "C-z");
            Waiting.until("it is stopped, and the terminal is as before", () -> {
                var screen = screen(session);
                return screen.contains("Stopped") && !screen.contains("sorted by");
            });
            Command.run("tmux", "send-keys", "-t", session, "echo a$((1))b", "Enter");
            Waiting.until("the terminal echoes", () -> {
                var screen = screen(session);
                return screen.contains("$ echo a$((1))b\na1b");
            });

            Command.run("tmux", "send-keys", "-t", session, "fg", "Enter");
            Waiting.until("it goes on", () -> screen(session).contains("sorted by commands"));
            Command.run("tmux", "send-keys", "-t", session, "q");
            Waiting.until("it has ended", () -> !screen(session).contains("sorted by"));
        } finally {
            Command.run("tmux", "kill-session", "-t", session);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"top", "ping -i 0", "stat --json", "errors --json", "metrics", "workers", "service status"})
    void commands_end_silently_when_the_reader_of_their_output_has_exited(String command) {
        // Also short output is written after the reader has exited.
        var words = new ArrayList<>(List.of(
                "bash",
                "-c",
                "mkfifo $0 && { true <$0 & } && exec 3>$0 && wait && exec \"$@\" >&3",
                folder.resolve("pipe").toString()));
        words.addAll(Programs.uromWords(command.split(" ")));
        words.addAll(List.of("--service", service.address()));

        var printed = Programs.run(Map.of(), words);

        assertEquals(ExitCode.NO_READER, printed.exitCode(), printed.error());
        assertFalse(printed.error().contains("urom:"), printed.error());
    }

    @Test
    void a_full_disk_is_an_error() {
        var words = new ArrayList<>(List.of("bash", "-c", "\"$@\" >/dev/full", "bash"));
        words.addAll(Programs.uromWords("stat", "--service", service.address()));

        var printed = Programs.run(Map.of(), words);

        assertEquals(ExitCode.FILE, printed.exitCode(), printed.error());
        assertTrue(printed.error().contains("the disk may be full"), printed.error());
    }

    private static String screen(String session) {
        return Command.run("tmux", "capture-pane", "-p", "-t", session);
    }

    @Test
    void errors_prints_each_error_once() {
        fail();
        fail();

        var printed = urom("errors");

        assertEquals(0, printed.exitCode(), printed.error());
        assertTrue(
                printed.output()
                        .matches("(?s)count +first +last +who +process +error\n.*"
                                + " +2  [0-9T:.-]+Z  [0-9T:.-]+Z  worker 1 .*A command was answered with"
                                + " DOCA_ERROR_INVALID_VALUE.*"),
                printed.output());
        assertEquals(3, printed.output().lines().count(), printed.output());
    }

    @Test
    void no_errors_are_a_remark() {
        var printed = urom("errors");

        assertEquals("", printed.output());
        assertEquals("No errors have been counted.\n", printed.error());
        assertEquals("[]\n", urom("errors", "--json").output());
    }

    @Test
    void metrics_are_served_on_loopback() throws Exception {
        try (var server = new MetricsServer(service.address());
                var client = HttpClient.newHttpClient()) {
            var page = get(client, server.address());

            assertEquals(200, page.statusCode());
            assertEquals(
                    "text/plain; version=0.0.4; charset=utf-8",
                    page.headers().firstValue("Content-Type").orElseThrow());
            assertTrue(
                    page.body()
                            .matches("(?s).*\njurom_worker_answers_total\\{plugins=\"graph\","
                                    + "process=\"[0-9]+\",service=\"" + name() + "\",user=\"\\w+\",worker=\"1\"} "
                                    + COMMANDS + "\n.*"),
                    page.body());
            assertTrue(
                    page.body()
                            .lines()
                            .allMatch(line -> line.matches(
                                    "# (HELP|TYPE) \\w+ .*" + "|\\w+(\\{(\\w+=\"[^\"]*\",?)+})? [0-9.NaE-]+")),
                    page.body());
            assertEquals(404, get(client, server.address().resolve("/")).statusCode());
        }
    }

    @Test
    void a_page_whose_name_resolves_to_loopback_reads_no_metrics() throws Exception {
        try (var server = new MetricsServer(service.address())) {
            assertEquals("HTTP/1.1 421", statusFor(server, "rebound.example:9464"));
            assertEquals("HTTP/1.1 421", statusFor(server, "127.0.0.1.example"));
            assertEquals("HTTP/1.1 200", statusFor(server, "[::1]:9464"));
            assertEquals("HTTP/1.1 200", statusFor(server, "localhost"));
        }
    }

    /** Returns the beginning of the response to a request with this Host header. */
    private static String statusFor(MetricsServer server, String host) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.setSoTimeout((int) Waiting.DEADLINE.toMillis());
            socket.getOutputStream().write(("GET /metrics HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes());
            return new String(socket.getInputStream().readNBytes(12));
        }
    }

    private static HttpResponse<String> get(HttpClient client, URI address) throws Exception {
        return client.send(
                HttpRequest.newBuilder(address).timeout(Waiting.DEADLINE).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_silent_client_is_disconnected() throws Exception {
        try (var server = new MetricsServer(service.address());
                var socket = new Socket(
                        InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.getOutputStream().write("GET /metr".getBytes());
            socket.setSoTimeout((int) Waiting.DEADLINE.toMillis());

            assertEquals(-1, socket.getInputStream().read());
        }
    }

    @Test
    void an_address_that_is_not_loopback_is_rejected() {
        for (var address : List.of(
                "0.0.0.0:9464", "[::]:9464", "192.0.2.1:9464", "example.org:1", ":1", "127.0.0.1", "127.0.0.1:70000")) {
            var printed = urom("metrics", "--listen", address);

            assertEquals(2, printed.exitCode(), address);
            assertTrue(printed.error().startsWith("urom: --listen " + address + " is not "), printed.error());
        }
    }

    @Test
    void metrics_without_an_address_are_printed() {
        var printed = urom("metrics");

        assertEquals(0, printed.exitCode(), printed.error());
        assertTrue(printed.output().contains("\njurom_services 1\n"), printed.output());
        var labels = "{service=\"" + name() + "\",user=\"" + System.getProperty("user.name") + "\"} ";
        for (var metric : List.of(
                "workers_limit" + labels + "512\n",
                "sessions_limit" + labels + "4096\n",
                "heap_limit_bytes" + labels + Runtime.getRuntime().maxMemory() + "\n")) {
            assertTrue(printed.output().contains("\njurom_daemon_" + metric), printed.output());
        }
        assertTrue(
                printed.output()
                        .matches("(?s).*\njurom_build_info\\{java=\"\\Q" + Runtime.version()
                                + "\\E\",process=\"[0-9]+\",service=\"" + name()
                                + "\",user=\"\\w+\",version=\"[0-9.]+\"} 1\n.*"),
                printed.output());
        assertTrue(
                printed.output().matches("(?s).*\njurom_daemon_descriptors\\Q" + labels + "\\E[1-9][0-9]*\n.*"),
                printed.output());
    }

    @Test
    void alerts_and_dashboard_use_metrics_and_labels_that_exist() throws IOException {
        var printed = urom("metrics").output();
        var known = Pattern.compile("^(?:# TYPE )?(jurom_\\w+)[ {]", Pattern.MULTILINE)
                .matcher(printed)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        var labels = Pattern.compile("(\\w+)=\"")
                .matcher(printed)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        labels.addAll(List.of("instance", "job")); // Prometheus adds them

        for (var file : List.of("alerts.yml", "dashboard.json")) {
            var text = Files.readString(MONITORING.resolve(file));
            assertEquals(Set.of(), difference(text, "\\b(jurom_\\w+)", known), file);
            assertEquals(Set.of(), difference(text, "by \\(([\\w, ]+)\\)", labels), file);
            assertEquals(Set.of(), difference(text, "\\{\\{(?:\\s*\\$labels\\.)?(\\w+)\\s*}}", labels), file);
        }
    }

    @Test
    void the_dashboard_shows_all_counters_of_rejected_requests_and_connections() throws IOException {
        var text = Files.readString(MONITORING.resolve("dashboard.json"));

        for (var counter : List.of("refused", "limits_hit", "authentication_failures", "not_accepted")) {
            assertTrue(text.contains("rate(jurom_daemon_" + counter + "_total{"), counter);
        }
    }

    /** Returns the unknown names, separated by commas, in the first group of a pattern. */
    private static Set<String> difference(String text, String pattern, Set<String> known) {
        var found = Pattern.compile(pattern)
                .matcher(text)
                .results()
                .flatMap(match -> Stream.of(match.group(1).split(", ")))
                .collect(Collectors.toCollection(TreeSet::new));
        assertFalse(found.isEmpty(), pattern);
        found.removeAll(known);
        return found;
    }

    @Test
    void promtool_accepts_metrics_and_alerts_and_their_cases() throws IOException {
        assumeTrue(
                Boolean.getBoolean("jurom.long") || Files.exists(Path.of("/usr/bin/promtool")),
                "promtool is not here: apt-get install prometheus");
        var metrics =
                Files.writeString(folder.resolve("metrics"), urom("metrics").output());

        var rules = Command.execute(List.of(
                "promtool", "check", "rules", MONITORING.resolve("alerts.yml").toString()));
        var text = Command.execute(List.of("sh", "-c", "promtool check metrics <" + metrics));
        var cases = Command.execute(List.of(
                "promtool",
                "test",
                "rules",
                Command.ROOT.resolve("src/test/monitoring/alerts-test.yml").toString()));

        assertEquals(0, rules.exitCode(), rules::output);
        assertEquals(0, cases.exitCode(), cases::output);
        assertEquals("", text.output());
    }

    /** {@code urom metrics --listen} on any port. */
    private static final class MetricsServer implements AutoCloseable {

        private final Process process;
        private final URI address;

        MetricsServer(String service) throws IOException {
            process = new ProcessBuilder(Programs.uromWords("metrics", "--service", service, "--listen", "127.0.0.1:0"))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var line = process.inputReader().readLine();
            assertTrue(line.matches("urom metrics at http://127\\.0\\.0\\.1:[0-9]+/metrics"), line);
            address = URI.create(line.replaceFirst(".* ", ""));
        }

        URI address() {
            return address;
        }

        @Override
        public void close() {
            process.destroy();
            Waiting.until("the server has ended", () -> !process.isAlive());
        }
    }
}
