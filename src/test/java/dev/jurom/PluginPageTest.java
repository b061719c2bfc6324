// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.UromCommand;
import dev.jurom.cli.UromDaemonMain;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.MarkdownPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Executes the commands and the code of the pages for authors of plugins in C. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PluginPageTest {

    private static final MarkdownPage PAGE = MarkdownPage.of("docs/plugins.md");
    private static final String SECOND = "docs/plugins-in-c.md"; // extends the plugin of PAGE
    private static final int LONGEST_PLUGIN = 140;
    private static final String COMPILE = "cc -std=gnu11 -DDOCA_ALLOW_EXPERIMENTAL_API -shared -fPIC ";
    private static final String FLAGS = "$(pkg-config --cflags --libs doca-urom)";

    /** A program that calls the plugin for each argument; the service and the worker are inserted. */
    private static final String TRIAL = """
            import dev.jurom.*;
            import dev.jurom.service.EmbeddedService;
            import dev.jurom.service.settings.WorkerSettings;
            import java.nio.file.Path;
            import java.util.Map;

            public class Trial {
                public static void main(String[] texts) throws InterruptedException {
                    try (var service = %s;
                            var urom = Urom.open();
                            var worker = urom.startWorker(%s)) {
                        for (var text : texts) {
                            System.out.println(worker.call(WordCount.COUNT,
                                    WordCount.Command.of(text, ',')).words());
                        }
                    }
                }
            }
            """;

    private Path folder;
    private Path prefix;
    private List<String> steps;

    @BeforeAll
    void install(@TempDir Path empty) throws IOException {
        folder = empty;
        prefix = folder.resolve("prefix");
        Command.run(
                "cmake", "--install", Command.ROOT.resolve("target/native").toString(), "--prefix", prefix.toString());
        installProgram("urom-daemon", UromDaemonMain.class, "--allow-root");
        installProgram("urom", UromCommand.class, "");
        steps = PAGE.fragments("sh");
        assertEquals(5, steps.size(), "project, build, daemon, program, sanitizers");
        shell(steps.getFirst());
        folder = folder.resolve("word_count");
    }

    private void installProgram(String name, Class<?> main, String options) throws IOException {
        var program = prefix.resolve("bin").resolve(name);
        Files.writeString(
                program,
                "#!/usr/bin/env bash\nexec "
                        + ForkedJvm.command(main, ForkedJvm.NATIVE_ACCESS).stream()
                                .map(word -> "'" + word + "'")
                                .collect(Collectors.joining(" "))
                        + " " + options + " \"$@\"\n");
        assertTrue(program.toFile().setExecutable(true));
    }

    /** Executes a code block of the page in its folder. */
    private String shell(String text) {
        return Command.run(
                "env",
                "PREFIX=" + prefix,
                "PATH=" + javaHome().resolve("bin") + ":" + System.getenv("PATH"),
                "bash",
                "-euo",
                "pipefail",
                "-c",
                "cd '" + folder + "'\nexport PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig\n" + text);
    }

    private static Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }

    private void compile(String target, String... sources) {
        shell("javac --release 22 -d " + target + " -cp '" + ForkedTests.classPath(folder.resolve("target/classes"))
                + "' " + String.join(" ", sources));
    }

    @Test
    @Order(1)
    void its_files_are_those_that_the_command_writes() {
        ExampleFiles.requireShown(PAGE, "c-plugin");
    }

    @Test
    @Order(1)
    void the_plugin_builds_and_is_valid() throws IOException {
        var output = shell(steps.get(1));

        assertTrue(output.endsWith("\nversion=1\n"), output);
        assertTrue(output.contains("100% tests passed"), output);
        try (var lines = Files.lines(folder.resolve("worker_word_count.c"))) {
            assertTrue(lines.count() <= LONGEST_PLUGIN, "too long for the page");
        }
    }

    @Test
    @Order(1)
    void optional_functions_are_documented_and_their_example_compiles() throws IOException {
        var loader = Files.readString(Command.ROOT.resolve("src/main/c/worker/plugin.c"));
        var page = Files.readString(Command.ROOT.resolve("docs/plugins.md"));
        var header = Files.readString(Command.ROOT.resolve("headers/doca_urom_plugin.h"));
        var symbols = Pattern.compile("\"(urom_plugin_\\w+)\"")
                .matcher(loader)
                .results()
                .map(result -> result.group(1))
                .toList();
        assertTrue(symbols.contains("urom_plugin_arm"), symbols::toString);
        for (var symbol : symbols) {
            assertTrue(page.contains("`" + symbol + "`"), symbol);
            assertTrue(header.contains(symbol), symbol);
        }

        var armed = Files.writeString(
                folder.resolve("worker_armed.c"),
                Files.readString(folder.resolve("worker_word_count.c"))
                        + PAGE.fragments("c").getFirst());
        shell(COMPILE + "-Wall -Wextra -Werror -o armed.so " + armed + " " + FLAGS);
        assertTrue(shell("nm -D armed.so").contains("T urom_plugin_arm\n"));
    }

    @Test
    @Order(2)
    void its_tests_pass_on_the_class_path() {
        var output = compileAndTest();

        assertTrue(output.contains("9 of 9 tests passed"), output);
    }

    /** Compiles the files in Java of the folder and returns the output of their test. */
    private String compileAndTest() {
        compile("target/classes", "src/main/java/*.java");
        compile("target/test-classes", "src/test/java/*.java");
        return shell(ForkedTests.command(
                        List.of("WordCountTest"),
                        folder.resolve("target/classes"),
                        folder.resolve("target/test-classes"))
                .stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" ")));
    }

    @Test
    @Order(3)
    void a_program_calls_it_through_a_daemon_that_found_it() throws IOException {
        Files.writeString(folder.resolve("target/classpath"), Command.CLASS_PATH);

        var output = shell("exec 2>&1\n" + steps.get(2) + steps.get(3) + "wait || true\n");

        assertTrue(output.contains("6 words, the longest of 3 bytes\n"), output);
    }

    @Test
    @Order(4)
    void a_program_calls_it_from_the_module_path() {
        var loud = trial(
                "EmbeddedService.open(usual -> usual.toBuilder()"
                        + ".plugins(Path.of(\"target/native/plugins\")).build())",
                PAGE.fragments("java").getFirst());

        var output = shell("java --enable-native-access=dev.jurom --module-path '"
                + Command.MODULE_PATH + "' --add-modules dev.jurom,dev.jurom.service -cp '" + loud
                + ":target/classes:" + Command.BUNDLE + "' Trial 'a b' 'c' 2>&1");

        assertTrue(output.contains("2 words in 3 bytes"), output); // of the plugin's own log
        assertTrue(output.lines().anyMatch("1"::equals), output);
    }

    @Test
    @Order(7)
    void its_maximum_command_size_is_that_of_a_worker() throws IOException, InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of("worker_graph"))) {
            assertTrue(Files.readString(Command.ROOT.resolve("docs/plugins.md"))
                    .contains("The largest command has " + worker.maxCommandSize() + " bytes"));
        }
    }

    /** Uses a substitute for the plugin of UCC, which requires a library, installed as libtool does. */
    @Test
    @Order(5)
    void a_daemon_finds_the_plugin_of_ucc_as_documented() {
        var output = shell("""
                mkdir -p ucc/lib ucc/plugins
                echo 'int ucc(void) { return 0; }' >ucc.c
                cc -shared -fPIC -Wl,-soname,libucc.so.1 -o ucc/lib/libucc.so.1 ucc.c
                name=libucc_doca_urom_plugin.so
                %s -Wl,--no-as-needed -o ucc/plugins/$name.1.0.0 worker_word_count.c ucc/lib/libucc.so.1 %s
                ln -s $name.1.0.0 ucc/plugins/$name
                rm -f services
                export UCC=$PWD/ucc
                exec 2>&1
                """.formatted(COMPILE, FLAGS)
                + MarkdownPage.of("docs/ucc.md").fragments("sh").getFirst() + "kill $daemon\nwait || true\n");

        assertTrue(output.contains("libucc_doca_urom_plugin.so"), output);
        assertTrue(output.contains(" with 5 plugins,"), output);
        assertFalse(output.contains("is skipped"), output);
        assertFalse(output.contains("is dropped"), output);
    }

    @Test
    @Order(5)
    void a_crash_is_reported_with_its_callback() throws IOException {
        var source = folder.resolve("worker_word_count.c");
        var wrong = Files.readString(source).replace("count(cmd->plugin_cmd + sizeof(command),", "count(NULL,");
        Files.writeString(folder.resolve("crashing.c"), wrong);
        shell("mkdir -p crashing\n" + COMPILE + "-o crashing/worker_word_count.so crashing.c " + FLAGS);
        var crashing = trial(
                "EmbeddedService.open(usual -> usual.toBuilder().plugins(Path.of(\"crashing\")).build())",
                "WorkerConfiguration.of(\"worker_word_count\")");

        var output = shell("java --enable-native-access=ALL-UNNAMED -cp '" + crashing + ":target/classes:"
                + Command.CLASS_PATH + "' Trial 'a b' 2>&1 || true");

        var message = "was ended by signal 11 (SIGSEGV) while it ran worker_cmd of word_count";
        assertTrue(output.contains(message), output);
        assertTrue(Files.readString(Command.ROOT.resolve("docs/plugins.md")).contains(message));
    }

    /** Compiles the program with two code blocks of the page into a separate folder. */
    private Path trial(String service, String worker) {
        try {
            var into = Files.createTempDirectory(folder, "trial");
            Files.writeString(into.resolve("Trial.java"), TRIAL.formatted(service.strip(), worker.strip()));
            compile(into.toString(), into.resolve("Trial.java").toString());
            return into;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Order(6)
    void a_sanitizer_reports_the_line_of_an_invalid_write() throws IOException {
        var source = folder.resolve("worker_word_count.c");
        var right = Files.readString(source);
        var wrong = right.replace("sizeof(*made) + sizeof(answer))", "sizeof(*made))");
        assertTrue(!wrong.equals(right));
        Files.writeString(source, wrong);
        shell(steps.get(4));
        var inProcess = shell("ctest --test-dir target/sanitized --output-on-failure || true");
        assertTrue(inProcess.contains("heap-buffer-overflow"), inProcess);
        var fragments = PAGE.fragments("java");
        var sanitized = trial(fragments.get(1), fragments.get(2));

        var output = shell("java --enable-native-access=ALL-UNNAMED -cp '" + sanitized + ":target/classes:"
                + Command.CLASS_PATH + "' Trial 'a b' 2>&1 || true");

        assertTrue(output.contains("heap-buffer-overflow"), output);
        assertTrue(output.contains("worker_word_count.c:"), output);
        assertTrue(output.contains("CONNECTION_RESET"), output);
    }

    @Test
    @Order(8)
    void the_second_page_extends_the_plugin_and_installs_it() throws IOException {
        var page = MarkdownPage.of(SECOND);
        page.writeFiles(folder);
        var commands = page.fragments("sh");
        assertEquals(5, commands.size(), "build, installation, host in C, host in Java, recording");
        var probed = shell(commands.getFirst());
        assertTrue(probed.endsWith("\nversion=2\n"), probed);
        var tested = compileAndTest();
        assertTrue(tested.contains("7 of 7 tests passed"), tested);

        var output = shell("exec 2>log\n" + String.join("", commands.subList(1, 5)) + "wait || true\n")
                .replaceAll("worker \\d+: the plugin", "worker 1: the plugin");
        assertTrue(output.contains("6 words, the longest of 3 bytes\n" + answers()), output);
        assertTrue(output.contains("UROM Command"), output);
    }

    /** Returns what the host in Java prints, according to the page. */
    private static String answers() throws IOException {
        var page = Files.readString(Command.ROOT.resolve(SECOND));
        var start = page.indexOf("\nworker: ") + 1;
        return page.substring(start, page.indexOf("```", start));
    }

    @Test
    @Order(9)
    void the_extended_plugin_runs_with_sanitizers() throws IOException {
        shell(steps.get(4));
        var fragments = PAGE.fragments("java");
        var host = folder.resolve("src/main/java/WordCountHost.java");
        var source = Files.readString(host)
                .replaceFirst(
                        "(?s)EmbeddedService\\.open\\(.*?build\\(\\)\\);",
                        fragments.get(1).strip() + ";")
                .replace(
                        "WorkerConfiguration.of(WordCount.COUNT.plugin())",
                        fragments.get(2).strip())
                .replace(
                        "import java.nio.file.Path;",
                        "import dev.jurom.service.settings.WorkerSettings;\n"
                                + "import java.nio.file.Path;\nimport java.util.Map;");
        var into = Files.createTempDirectory(folder, "trial");
        Files.writeString(into.resolve(host.getFileName()), source);
        compile(into.toString(), into.resolve(host.getFileName()).toString());

        var output = shell("java --enable-native-access=ALL-UNNAMED -cp '" + into + ":target/classes:"
                + Command.CLASS_PATH + "' WordCountHost to be, or not to be 2>&1");

        assertTrue(output.contains(answers()), output);
        assertFalse(output.contains("Sanitizer") || output.contains("runtime error"), output);
    }
}
