// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.worker.ProbePlugin.PROBE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.worker.ProbePlugin.Action;
import dev.jurom.worker.ProbePlugin.Request;
import dev.jurom.worker.internal.PluginFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests which plugins in Java start, and the messages to hosts if one does not. */
class JavaPluginStartTest {

    private static final String SECOND = "worker_second";
    private static final Path OLD_JDK = Path.of("/usr/lib/jvm/java-17-openjdk-amd64");
    private static final Duration CREATION = Duration.ofSeconds(60);
    private static final int STARTS = Boolean.getBoolean("jurom.long") ? 300 : 5;

    @TempDir
    Path folder;

    /** A plugin that exits when it is opened. */
    public static final class ExitingPlugin implements WorkerPlugin {

        @Override
        public String name() {
            return ProbePlugin.NAME;
        }

        @Override
        public long version() {
            return 1;
        }

        @Override
        public void open() {
            System.exit(7);
        }

        @Override
        public void command(dev.jurom.worker.Command command, Responder responder) {}
    }

    /** A plugin that cannot be opened. */
    public static final class ClosedPlugin implements WorkerPlugin {

        @Override
        public String name() {
            return ProbePlugin.NAME;
        }

        @Override
        public long version() {
            return 1;
        }

        @Override
        public void open() throws IOException {
            throw new IOException("its data is missing");
        }

        @Override
        public void command(dev.jurom.worker.Command command, Responder responder) {}
    }

    private void edit(String name, UnaryOperator<String> change) throws IOException {
        var file = folder.resolve(name + ".properties");
        Files.writeString(file, change.apply(Files.readString(file)));
    }

    private void copy(String from, String to) throws IOException {
        for (var suffix : List.of(".so", ".properties")) {
            Files.copy(folder.resolve(from + suffix), folder.resolve(to + suffix));
        }
    }

    private EmbeddedService open(UnaryOperator<DaemonConfiguration.Builder> change) {
        return EmbeddedService.open(
                usual -> change.apply(usual.toBuilder().plugins(folder)).build());
    }

    private String refusal(String... plugins) {
        return refusal(UnaryOperator.identity(), plugins);
    }

    /** Returns the message that a host receives when it starts a worker with these plugins. */
    private String refusal(UnaryOperator<DaemonConfiguration.Builder> change, String... plugins) {
        try (var service = open(change);
                var urom = Urom.open()) {
            return assertThrows(DocaException.class, () -> urom.startWorker(WorkerConfiguration.of(plugins)))
                    .getMessage();
        }
    }

    private void assertRefused(String why, String... plugins) {
        var message = refusal(plugins);

        assertTrue(message.contains(why), message);
    }

    @Test
    void a_missing_jdk_is_named_with_the_file_to_correct() throws IOException {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        edit(ProbePlugin.NAME, text -> text.replaceAll("java.home=.*", "java.home=/no/jdk"));

        assertRefused("there is no usable JDK in /no/jdk", ProbePlugin.NAME);
        assertRefused("correct java.home in " + folder.resolve(ProbePlugin.NAME + ".properties"), ProbePlugin.NAME);
    }

    @Test
    void an_old_jdk_is_refused_with_its_version() throws IOException {
        assumeTrue(Files.isDirectory(OLD_JDK), "JDK 17 is not installed");
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        edit(ProbePlugin.NAME, text -> text.replaceAll("java.home=.*", "java.home=" + OLD_JDK));

        assertRefused("is version 17, and the plugin needs 22 or later", ProbePlugin.NAME);
    }

    @Test
    void a_wrong_class_is_named() throws IOException {
        PluginFolder.writeLinked(folder, ProbePlugin.class);

        edit(ProbePlugin.NAME, text -> text.replaceAll("class=.*", "class=org.example.Missing"));
        assertRefused("there is no class org.example.Missing", ProbePlugin.NAME);

        edit(ProbePlugin.NAME, text -> text.replaceAll("class=.*", "class=java.lang.String"));
        assertRefused("java.lang.String is not a plugin", ProbePlugin.NAME);
    }

    @Test
    void files_of_another_name_are_refused() throws IOException {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        copy(ProbePlugin.NAME, SECOND);

        assertRefused("is the plugin worker_probe of version 1, but its files are those of worker_second", SECOND);
    }

    @Test
    void an_exception_in_open_reaches_the_host_with_class_and_message() throws IOException {
        PluginFolder.writeLinked(folder, ClosedPlugin.class);

        assertRefused("ClosedPlugin could not be opened: java.io.IOException: its data is missing", ProbePlugin.NAME);
    }

    @Test
    void an_exit_in_open_is_named_with_its_status() throws IOException {
        PluginFolder.writeLinked(folder, ExitingPlugin.class);

        assertRefused("could not be opened: it called System.exit(7)", ProbePlugin.NAME);
    }

    @Test
    void a_memory_limit_that_is_too_small_names_the_option() throws IOException {
        PluginFolder.writeLinked(folder, ProbePlugin.class);

        var message = refusal(
                builder -> {
                    var program = DaemonConfiguration.usual().workers();
                    return builder.workers(program.withResources(32 << 20, 0));
                },
                ProbePlugin.NAME);

        assertTrue(message.contains("--worker-memory"), message);
        assertTrue(message.contains("32 MiB"), message);
    }

    @Test
    void an_option_that_the_jvm_rejects_is_named_with_the_file_to_correct() throws IOException {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        edit(ProbePlugin.NAME, text -> text.replaceAll("options=.*", "options=-XX:NoSuchOption"));

        assertRefused("(Unrecognized VM option 'NoSuchOption'): check options in " + properties(), ProbePlugin.NAME);
    }

    @Test
    void an_option_with_which_the_jvm_exits_is_named_with_the_file_to_correct() throws IOException {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        edit(ProbePlugin.NAME, text -> text.replaceAll("options=.*", "options=-XX:+UseSerialGC -XX:+UseParallelGC"));

        assertRefused("(Multiple garbage collectors selected): check options in " + properties(), ProbePlugin.NAME);
    }

    private Path properties() {
        return folder.resolve(ProbePlugin.NAME + ".properties");
    }

    private static String readLog(Path logs) throws IOException {
        try (var files = Files.newDirectoryStream(logs, "urom_worker_*")) {
            return Files.readString(files.iterator().next());
        }
    }

    @Test
    void a_crash_of_the_jvm_fails_its_command_and_leaves_a_report_in_the_log() throws Exception {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        var logs = Files.createDirectory(folder.resolve("logs"));
        try (var service = open(builder -> builder.logs(LogSettings.DEFAULT.withDirectory(logs)));
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
            var failure = assertThrows(DocaException.class, () -> worker.call(PROBE, Request.of(Action.CRASH, "")));

            assertEquals(DocaError.CONNECTION_RESET, failure.error());
            assertTrue(
                    failure.getMessage().contains("(SIGABRT) while it ran worker_cmd of probe; its log is "),
                    failure.getMessage());
        }
        assertTrue(readLog(logs).contains("A fatal error has been detected by the Java Runtime Environment"));
        assertTrue(readLog(logs).contains("dev.jurom.worker.ProbePlugin.command"));
    }

    @Test
    void a_plugin_that_fills_its_heap_fails_only_its_command() throws Exception {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        edit(ProbePlugin.NAME, text -> text.replaceAll("options=.*", "options=-XX:+UseSerialGC -Xmx16m"));
        try (var service = open(UnaryOperator.identity());
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
            for (var i = 0; i < 3; i++) {
                var failure =
                        assertThrows(DocaException.class, () -> worker.call(PROBE, Request.of(Action.FILL_HEAP, "")));

                assertEquals(DocaError.NO_MEMORY, failure.error());
                assertTrue(
                        failure.getMessage().contains("java.lang.OutOfMemoryError: Java heap space"),
                        failure.getMessage());
                assertEquals(
                        "x", worker.call(PROBE, Request.of(Action.ECHO, "x")).text());
            }
        }
    }

    @Test
    void plugins_of_one_worker_with_other_options_are_refused() throws IOException {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        PluginFolder.writeLinked(folder, JavaPluginTest.OtherPlugin.class);
        edit("worker_other", text -> text.replaceAll("options=.*", "options=-Xmx64m"));

        assertRefused("share one JVM", ProbePlugin.NAME, "worker_other");
    }

    @Test
    void a_link_to_the_file_of_another_plugin_is_refused() throws IOException {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        Files.createSymbolicLink(folder.resolve(SECOND + ".so"), folder.resolve(ProbePlugin.NAME + ".so"));
        Files.copy(folder.resolve(ProbePlugin.NAME + ".properties"), folder.resolve(SECOND + ".properties"));

        assertRefused("is loaded already", ProbePlugin.NAME, SECOND);
    }

    private void pack(Path target) throws IOException {
        var classes = ProbePlugin.class.getProtectionDomain().getCodeSource().getLocation();
        PluginFolder.pack(
                target, ProbePlugin.class.getName(), List.of(Path.of(classes.getPath())), PluginFolder.DEFAULT_OPTIONS);
    }

    @Test
    void a_folder_that_was_copied_elsewhere_is_usable() throws Exception {
        var original = folder.resolve("original");
        pack(original);
        Command.run("cp", "-r", original.toString(), folder.resolve("copy").toString());
        Command.run("rm", "-r", original.toString());
        folder = folder.resolve("copy");

        try (var service = open(UnaryOperator.identity());
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
            assertEquals("x", worker.call(PROBE, Request.of(Action.ECHO, "x")).text());
        }
    }

    /** A program that calls a plugin in a private service of its user. */
    static final class OtherUser {

        private OtherUser() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (var service = EmbeddedService.open(usual ->
                            usual.toBuilder().plugins(Path.of(arguments[0])).build());
                    var urom = Urom.open();
                    var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
                System.out.println(
                        worker.call(PROBE, Request.of(Action.ECHO, "an answer")).text());
            }
        }
    }

    @Test
    void a_folder_of_root_is_usable_by_the_service_of_another_user() throws Exception {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        pack(folder.resolve("plugins"));
        var installation = PublicInstallation.in(folder);
        var classPath = new ArrayList<String>();
        for (var classes : (Command.CLASS_PATH + ":" + Command.TESTS).split(":")) {
            var copy = folder.resolve("classes" + classPath.size()).toString();
            Command.run("cp", "-r", classes, copy);
            classPath.add(copy);
        }

        var output = Command.run(
                "setpriv",
                "--reuid=daemon",
                "--regid=daemon",
                "--clear-groups",
                "env",
                "-i",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djurom.software.path=" + installation,
                "-cp",
                String.join(":", classPath),
                OtherUser.class.getName(),
                folder.resolve("plugins").toString());

        assertTrue(output.contains("an answer"), output);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES) // with -Djurom.long=true
    void workers_leave_no_process_and_no_file_whether_they_end_or_are_killed() throws Exception {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        var processes = new ArrayList<Long>(); // of which a later one can have the number of an earlier one
        var descriptors = 0;
        try (var service = open(UnaryOperator.identity());
                var urom = Urom.open()) {
            for (var i = 0; i < STARTS; i++) {
                try (var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
                    assertEquals(
                            "x",
                            worker.call(PROBE, Request.of(Action.ECHO, "x")).text());
                    workers().forEach(process -> processes.add(process.pid()));
                    if (i % 2 == 1) {
                        workers().forEach(ProcessHandle::destroyForcibly);
                    }
                }
                Waiting.until("the end of the worker", () -> workers().isEmpty());
                if (i == STARTS / 2) {
                    descriptors = descriptors();
                }
            }
            var expected = descriptors;
            Waiting.until("the release of its descriptors", () -> descriptors() <= expected);
        }
        assertEquals(STARTS, processes.size());
        for (var process : processes) {
            assertFalse(Files.exists(Path.of("/tmp/.java_pid" + process)));
            assertFalse(Files.exists(Path.of("/tmp/hsperfdata_" + System.getProperty("user.name"), "" + process)));
        }
    }

    private static int descriptors() {
        return Path.of("/proc/self/fd").toFile().list().length;
    }

    @Test
    void a_worker_that_is_killed_while_it_starts_leaves_no_process() throws Exception {
        PluginFolder.writeLinked(folder, ProbePlugin.class);
        try (var service = open(UnaryOperator.identity());
                var urom = Urom.open()) {
            for (var delay = 0; delay < 60; delay += 10) {
                var start = urom.startWorkerAsync(WorkerConfiguration.of(ProbePlugin.NAME));
                Waiting.until("a worker process", () -> !workers().isEmpty() || start.isDone());
                var end = System.nanoTime() + delay * 1_000_000L;
                Waiting.until("the delay", () -> System.nanoTime() > end);
                workers().forEach(ProcessHandle::destroyForcibly);
                start.handle((worker, failure) -> {
                            if (worker != null) {
                                worker.close();
                            }
                            return true;
                        })
                        .get(30, TimeUnit.SECONDS);
            }
            Waiting.until("the end of the workers", () -> workers().isEmpty());
            try (var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
                assertTrue(worker.isRunning());
            }
        }
    }

    private List<String> files(String suffix) {
        return List.of(folder.toFile().list((parent, name) -> name.endsWith(suffix)));
    }

    /** Returns the processes that create a cache: those of workers have other command lines. */
    private List<ProcessHandle> creators() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains("-XX:AOTConfiguration=" + folder))
                .toList();
    }

    @Test
    void a_worker_creates_an_aot_cache_that_the_next_one_uses() throws Exception {
        assumeTrue(Runtime.version().feature() >= 25, "a JDK before 25 creates no AOT cache");
        pack(folder);
        try (var service = open(UnaryOperator.identity());
                var urom = Urom.open()) {
            try (var first = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME));
                    var second = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
                assertEquals(
                        "x", first.call(PROBE, Request.of(Action.ECHO, "x")).text());
                assertEquals(
                        "x", second.call(PROBE, Request.of(Action.ECHO, "x")).text());
                Waiting.within(CREATION, "the cache", () -> {
                    assertTrue(creators().size() <= 1, () -> "both workers create a cache: " + creators());
                    return !files(".aot").isEmpty();
                });
            }
            Waiting.until("the end of the workers", () -> workers().isEmpty());

            try (var third = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
                assertEquals(
                        "x", third.call(PROBE, Request.of(Action.ECHO, "x")).text());
                var maps = Path.of("/proc/" + workers().getFirst().pid() + "/maps");
                assertTrue(Files.readString(maps).contains(files(".aot").getFirst()), "the cache is not mapped");
                assertEquals(List.of(), creators());
            }
        }
        assertEquals(List.of(), files(".new"));
        assertEquals(List.of(), files(".conf"));
    }

    @Test
    void the_creation_of_an_aot_cache_ends_with_the_worker() throws Exception {
        assumeTrue(Runtime.version().feature() >= 25, "a JDK before 25 creates no AOT cache");
        pack(folder);
        try (var service = open(UnaryOperator.identity());
                var urom = Urom.open()) {
            for (var killed : List.of(true, false)) {
                try (var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
                    assertEquals(
                            "x",
                            worker.call(PROBE, Request.of(Action.ECHO, "x")).text());
                    Waiting.until(
                            "the process that creates the cache",
                            () -> !creators().isEmpty());
                    if (killed) {
                        workers().forEach(ProcessHandle::destroyForcibly);
                    }
                }
                Waiting.until("the end of that process", () -> creators().isEmpty());
                Waiting.until(
                        "the removal of its files",
                        () -> files(".conf").isEmpty() && files(".new").isEmpty());
                assertEquals(List.of(), files(".aot"));
            }
        }
    }

    private static List<ProcessHandle> workers() {
        return EmbeddedWorkers.list();
    }
}
