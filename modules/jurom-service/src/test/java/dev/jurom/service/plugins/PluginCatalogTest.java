// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.TestDaemon;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.FileStamps;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.processes.Launcher;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.threads.ServiceThreads;
import dev.jurom.service.threads.Timers;
import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which files are plugins, probed by the real worker program. */
public class PluginCatalogTest {

    @TempDir
    private Path folder;

    private final ServiceThreads threads = new ServiceThreads();
    private ServiceLog log;
    private Timers timers;
    private Poller poller;
    private Launcher launcher;

    @BeforeEach
    void open() throws IOException {
        log = ServiceLog.toFile(
                folder.resolve("log"),
                LogSettings.DEFAULT.withLevels(LogLevel.INFO, LogLevel.INFO).withRotation(1 << 20, 1));
        timers = new Timers(log::error, threads);
        poller = new Poller(threads.factory("poller"));
        launcher = new Launcher(TestDaemon.workerProgram(), Map.of(), Duration.ofSeconds(30), poller, timers, log);
    }

    @AfterEach
    void close() {
        launcher.close();
        poller.close();
        timers.close();
        threads.close();
        log.close();
    }

    private PluginCatalog discover(Path... directories) throws Exception {
        return discover(Duration.ofSeconds(30), directories);
    }

    private PluginCatalog discover(Duration deadline, Path... directories) throws Exception {
        return discover(PluginCatalog.empty(), deadline, directories);
    }

    private PluginCatalog discover(PluginCatalog before, Duration deadline, Path... directories) throws Exception {
        return discover(before, new FileStamps(), deadline, directories);
    }

    private PluginCatalog discover(PluginCatalog before, FileStamps stamps, Duration deadline, Path... directories)
            throws Exception {
        var trusted = new TrustedPath(Credentials.ofThisProcess().userId(), false);
        return before.rescan(
                new PluginFiles(() -> List.of(directories), trusted, log),
                stamps,
                new PluginProbe(launcher, new LibraryPath(null, trusted, log), Optional::empty, deadline, false),
                log);
    }

    private PluginCatalog again(PluginCatalog before, Path... directories) throws Exception {
        return discover(before, Duration.ofSeconds(30), directories);
    }

    private static List<String> names(PluginCatalog catalog) {
        return catalog.infos().stream().map(PluginInfo::name).toList();
    }

    private void assertSkipped(String file, String reason) {
        var lines = TestDaemon.log(folder.resolve("log"))
                .lines()
                .filter(line -> line.contains("[WRN]") && line.contains(file))
                .toList();
        assertEquals(1, lines.size(), () -> TestDaemon.log(folder.resolve("log")));
        assertTrue(lines.getFirst().contains(reason), lines.getFirst());
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    /** Compiles a shared library. */
    public static Path library(Path file, String source, String... linked) throws IOException {
        var code = Files.writeString(file.resolveSibling(file.getFileName() + ".c"), source);
        var words = new ArrayList<>(List.of(
                "cc",
                "-shared",
                "-fPIC",
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-I",
                Command.ROOT.resolve("headers").toString(),
                "-o",
                file.toString(),
                code.toString()));
        words.addAll(List.of(linked));
        words.addAll(Command.flags("ucx"));
        Command.run(words);
        Files.delete(code);
        return file;
    }

    /** Copies a real plugin to another name. */
    private static Path copyGraph(Path file) throws IOException {
        return Files.copy(TestDaemon.plugins().resolve("worker_graph.so"), file);
    }

    @Test
    void the_plugins_that_ship_with_jurom_are_found() throws Exception {
        var catalog = discover(TestDaemon.plugins());

        assertTrue(names(catalog).contains("worker_graph"), () -> names(catalog).toString());
        assertEquals(Files.list(TestDaemon.plugins()).count(), catalog.infos().size());
    }

    @Test
    void ids_are_distinct_bits_in_the_order_of_discovery() throws Exception {
        var first = directory("first");
        var second = directory("second");
        copyGraph(first.resolve("z.so"));
        copyGraph(first.resolve("a.so"));
        copyGraph(second.resolve("libm.so"));

        var catalog = discover(second, first);

        assertEquals(List.of("libm", "a", "z"), names(catalog));
        assertEquals(
                List.of(1L, 2L, 4L),
                catalog.infos().stream().map(PluginInfo::id).toList());
        assertEquals(7, catalog.allIds());
        assertEquals(
                List.of(second.resolve("libm.so") + ":1", first.resolve("z.so") + ":4"),
                catalog.of(5).stream().map(Plugin::argument).toList());
    }

    @Test
    void versions_are_those_of_the_plugins() throws Exception {
        var plugins = directory("plugins");
        library(plugins.resolve("old.so"), plugin("0xFFFFFFFFFFFFFFFFul"));
        library(plugins.resolve("young.so"), plugin("3"));

        var catalog = discover(plugins);

        assertEquals(
                List.of(-1L, 3L),
                catalog.infos().stream().map(PluginInfo::version).toList());
    }

    /** Compiles a plugin with a dependency that is not on the search path of the loader. */
    public static Path plugin(Path file, Path library) throws IOException {
        library(library, "int needed(void) { return 3; }", "-Wl,-soname," + library.getFileName());
        return library(file, "int needed(void);\n" + plugin("needed()"), library.toString());
    }

    /** Returns the source of a plugin without functions. */
    public static String plugin(String version) {
        return """
                #include <doca_urom_plugin.h>
                static doca_error_t nothing(void) { return DOCA_SUCCESS; }
                doca_error_t urom_plugin_get_version(uint64_t *version)
                {
                    *version = %s;
                    return DOCA_SUCCESS;
                }
                doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
                {
                    iface->open = (void *)nothing;
                    iface->close = (void *)nothing;
                    iface->addr = (void *)nothing;
                    iface->worker_cmd = (void *)nothing;
                    iface->progress = (void *)nothing;
                    iface->notif_pack = (void *)nothing;
                    return DOCA_SUCCESS;
                }
                """.formatted(version);
    }

    @Test
    void only_plain_so_files_count() throws Exception {
        var plugins = directory("plugins");
        copyGraph(plugins.resolve("good.so"));
        copyGraph(plugins.resolve("good.so.1"));
        copyGraph(plugins.resolve("good.so.bak"));
        copyGraph(plugins.resolve("noso"));
        Files.createDirectory(plugins.resolve("folder.so"));
        Files.createSymbolicLink(plugins.resolve("linked.so"), plugins.resolve("good.so"));
        Files.createSymbolicLink(plugins.resolve("dangling.so"), plugins.resolve("nothing"));

        assertEquals(List.of("good", "linked"), names(discover(plugins)));
    }

    /** In a domain, a plugin has the name of its file, by which a worker finds it. */
    @Test
    void workers_load_a_link_by_the_name_that_is_offered() throws Exception {
        var plugins = directory("plugins");
        copyGraph(plugins.resolve("linked.so.1.0.0"));
        Files.createSymbolicLink(plugins.resolve("linked.so"), Path.of("linked.so.1.0.0"));

        var catalog = discover(plugins);

        var info = catalog.infos().getFirst();
        assertEquals("linked", info.name());
        assertEquals(
                plugins.resolve("linked.so") + ":" + info.id(),
                catalog.of(info.id()).getFirst().argument());
    }

    @Test
    void a_text_file_named_so_is_skipped_with_its_reason() throws Exception {
        var plugins = directory("plugins");
        Files.writeString(plugins.resolve("text.so"), "not a library\n".repeat(10));
        copyGraph(plugins.resolve("good.so"));

        assertEquals(List.of("good"), names(discover(plugins)));
        assertSkipped("text.so", "invalid ELF header");
    }

    @Test
    void an_empty_file_and_a_piece_of_a_library_are_skipped() throws Exception {
        var plugins = directory("plugins");
        Files.writeString(plugins.resolve("empty.so"), "");
        var whole = Files.readAllBytes(TestDaemon.plugins().resolve("worker_graph.so"));
        Files.write(plugins.resolve("piece.so"), Arrays.copyOf(whole, whole.length / 8));

        assertEquals(List.of(), names(discover(plugins)));
        assertSkipped("empty.so", "too short");
        assertSkipped("piece.so", "is skipped: ");
    }

    @Test
    void a_library_without_the_symbols_is_skipped() throws Exception {
        var plugins = directory("plugins");
        library(plugins.resolve("bare.so"), "int nothing;");

        assertEquals(List.of(), names(discover(plugins)));
        assertSkipped("bare.so", "urom_plugin_get_");
    }

    @Test
    void a_plugin_that_lacks_an_operation_is_skipped() throws Exception {
        var plugins = directory("plugins");
        library(plugins.resolve("lame.so"), plugin("1").replace("iface->progress = (void *)nothing;", ""));

        assertEquals(List.of(), names(discover(plugins)));
        assertSkipped("lame.so", "lacks one of its six operations");
    }

    @Test
    void a_library_that_lacks_another_is_skipped() throws Exception {
        var plugins = directory("plugins");
        library(
                plugins.resolve("lacking.so"),
                "void missing_function(void);\nvoid *pointer = (void *)missing_function;");

        assertEquals(List.of(), names(discover(plugins)));
        assertSkipped("lacking.so", "missing_function");
    }

    @Test
    void a_plugin_whose_library_is_in_no_folder_is_skipped_with_the_variable() throws Exception {
        var plugins = directory("plugins");
        plugin(plugins.resolve("needy.so"), directory("libraries").resolve("libneeded.so"));

        assertEquals(List.of(), names(discover(plugins)));
        assertSkipped("needy.so", "cannot open shared object file");
        assertSkipped("needy.so", "LD_LIBRARY_PATH");
    }

    @Test
    void a_library_that_crashes_when_it_is_loaded_is_skipped() throws Exception {
        var plugins = directory("plugins");
        library(
                plugins.resolve("crash.so"),
                "#include <signal.h>\n" + "__attribute__((constructor)) static void crash(void) { raise(SIGKILL); }");
        copyGraph(plugins.resolve("good.so"));

        assertEquals(List.of("good"), names(discover(plugins)));
        assertSkipped("crash.so", "exit status 137");
    }

    @Test
    void a_library_that_ends_the_process_is_skipped() throws Exception {
        var plugins = directory("plugins");
        library(
                plugins.resolve("exit.so"),
                "#include <unistd.h>\n" + "__attribute__((constructor)) static void leave(void) { _exit(0); }");

        assertEquals(List.of(), names(discover(plugins)));
        assertSkipped("exit.so", "ends the process");
    }

    @Test
    void a_library_that_hangs_is_skipped_after_the_deadline() throws Exception {
        var plugins = directory("plugins");
        library(
                plugins.resolve("hang.so"),
                "#include <unistd.h>\n" + "__attribute__((constructor)) static void hang(void) { for (;;) pause(); }");

        assertEquals(List.of(), names(discover(Duration.ofMillis(500), plugins)));
        assertSkipped("hang.so", "longer than 500 ms");
    }

    @Test
    void the_output_of_a_library_is_not_mistaken_for_the_version() throws Exception {
        var plugins = directory("plugins");
        library(
                plugins.resolve("loud.so"),
                "#include <stdio.h>\n"
                        + "__attribute__((constructor)) static void shout(void)"
                        + " { puts(\"version=9999\\nand more\"); fputs(\"hello\\n\", stderr); }\n"
                        + plugin("4"));

        var catalog = discover(plugins);

        assertEquals(
                List.of(4L), catalog.infos().stream().map(PluginInfo::version).toList());
    }

    @Test
    void a_directory_that_is_not_there_is_skipped_with_a_warning() throws Exception {
        var plugins = directory("plugins");
        copyGraph(plugins.resolve("good.so"));

        assertEquals(List.of("good"), names(discover(folder.resolve("nowhere"), plugins)));
        assertSkipped("nowhere", "does not exist");
    }

    @Test
    void the_first_of_two_plugins_with_one_name_is_used() throws Exception {
        var first = directory("first");
        var second = directory("second");
        copyGraph(first.resolve("same.so"));
        copyGraph(second.resolve("same.so"));

        var catalog = discover(first, second);

        assertEquals(
                List.of(first.resolve("same.so") + ":1"),
                catalog.of(-1).stream().map(Plugin::argument).toList());
        assertSkipped("second/same.so", "comes first");
    }

    @Test
    void a_name_that_is_too_long_is_skipped() throws Exception {
        var plugins = directory("plugins");
        copyGraph(plugins.resolve("x".repeat(47) + ".so"));
        copyGraph(plugins.resolve("y".repeat(48) + ".so"));

        assertEquals(List.of("x".repeat(47)), names(discover(plugins)));
        assertSkipped("yyy.so", "1 to 47 bytes");
    }

    @Test
    void at_most_62_plugins_are_offered() throws Exception {
        var plugins = directory("plugins");
        for (var i = 0; i < 64; i++) {
            copyGraph(plugins.resolve("p%02d.so".formatted(i)));
        }

        var catalog = discover(plugins);

        assertEquals(62, catalog.infos().size());
        assertEquals((1L << 62) - 1, catalog.allIds());
        assertFalse(names(catalog).contains("p62"));
        assertSkipped("p62.so", "62 plugins already");
        assertSkipped("p63.so", "62 plugins already");
    }

    @Test
    void names_keep_their_ids_when_the_service_searches_again() throws Exception {
        var plugins = directory("plugins");
        copyGraph(plugins.resolve("b.so"));
        copyGraph(plugins.resolve("c.so"));
        var first = discover(plugins);

        copyGraph(plugins.resolve("a.so"));
        Files.delete(plugins.resolve("b.so"));
        var second = again(first, plugins);

        assertEquals(List.of("a", "c"), names(second));
        assertEquals(
                List.of(4L, 2L), second.infos().stream().map(PluginInfo::id).toList());
    }

    @Test
    public void another_version_is_another_plugin() throws Exception {
        var plugins = directory("plugins");
        library(plugins.resolve("same.so"), plugin("1"));
        var first = discover(plugins);

        Files.delete(plugins.resolve("same.so"));
        library(plugins.resolve("same.so"), plugin("2"));
        var second = again(first, plugins);
        var third = again(second, plugins);

        assertEquals(List.of(new PluginInfo(1, 1, "same")), first.infos());
        assertEquals(List.of(new PluginInfo(2, 2, "same")), second.infos());
        assertEquals(second.infos(), third.infos());
    }

    @Test
    void a_file_that_others_can_change_is_skipped() throws Exception {
        var plugins = directory("plugins");
        var open = copyGraph(plugins.resolve("open.so"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxr-x"));
        var loose = directory("loose");
        copyGraph(loose.resolve("here.so"));
        Files.setPosixFilePermissions(loose, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.createSymbolicLink(plugins.resolve("there.so"), loose.resolve("here.so"));

        assertEquals(List.of(), names(discover(plugins)));
        assertSkipped("open.so", "others can write to " + open);
        assertSkipped("there.so", "others can write to " + loose);
    }
}
