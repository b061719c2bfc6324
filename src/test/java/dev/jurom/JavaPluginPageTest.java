// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.MarkdownPage;
import dev.jurom.worker.internal.PluginFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the code of the page about plugins in Java. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaPluginPageTest {

    private static final MarkdownPage PAGE = MarkdownPage.of("docs/java-plugins.md");
    private static final Pattern PACKAGE =
            Pattern.compile("urom plugin package --jar (\\S+) --class (\\S+) -o (\\S+)\\s*");
    private static final int LONGEST_PLUGIN = 40; // lines
    private static final String HOST = "src/main/java/ChecksumHost.java";

    private Path folder;

    @BeforeAll
    void compileFiles(@TempDir Path empty) throws IOException {
        folder = empty;
        PAGE.writeFiles(folder);
        compile(
                "src/main/java/Checksum.java",
                "src/main/java/ChecksumHost.java",
                "src/main/java/ChecksumPlugin.java",
                "src/main/java/ParallelChecksumPlugin.java",
                "src/test/java/ChecksumTest.java");
    }

    private void compile(String... sources) {
        var words = Stream.concat(
                Stream.of(
                        "--release",
                        "22",
                        "-d",
                        folder.resolve("target/classes").toString(),
                        "-cp",
                        ForkedTests.classPath(folder.resolve("target/classes"))),
                Stream.of(sources).map(source -> folder.resolve(source).toString()));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)));
    }

    /** Compiles the program of the page with a replacement in it, runs it, and returns its output. */
    private String run(String text, String replacement) throws IOException {
        var variant = Files.createTempDirectory(folder, "variant");
        var source = Files.readString(folder.resolve(HOST));
        assertTrue(source.contains(text), source);
        Files.writeString(variant.resolve("ChecksumHost.java"), source.replace(text, replacement));
        compile(variant.resolve("ChecksumHost.java").toString());
        var words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(ForkedJvm.options());
        words.addAll(List.of(
                ForkedJvm.NATIVE_ACCESS,
                "-cp",
                folder.resolve("target/classes") + ":" + Command.CLASS_PATH,
                "ChecksumHost",
                "123456789"));
        return Command.run(words);
    }

    @Test
    void its_files_are_those_that_the_command_writes() {
        ExampleFiles.requireShown(PAGE, "java-plugin");
    }

    @Test
    void its_tests_pass() {
        var output = Command.run(ForkedTests.command(List.of("ChecksumTest"), folder.resolve("target/classes")));

        assertTrue(output.contains("8 of 8 tests passed"), output);
    }

    @Test
    void the_plugin_is_short_and_the_host_prints_the_answer() throws IOException {
        var output = run("ChecksumPlugin.class", "ChecksumPlugin.class");

        assertTrue(output.lines().anyMatch("e3069283"::equals), output);
        try (var lines = Files.lines(folder.resolve("src/main/java/ChecksumPlugin.java"))) {
            assertTrue(lines.count() <= LONGEST_PLUGIN);
        }
    }

    @Test
    void the_plugin_that_answers_from_other_threads_prints_the_same() throws IOException {
        var output = run("ChecksumPlugin.class", "ParallelChecksumPlugin.class");

        assertTrue(output.lines().anyMatch("e3069283"::equals), output);
    }

    @Test
    void the_packaged_plugin_runs_from_a_copied_folder_with_its_cache() throws Exception {
        var command = PACKAGE.matcher(PAGE.fragments("sh").getLast());
        assertTrue(command.matches());
        var packed = folder.resolve(command.group(3));
        var name = PluginFolder.pack(
                packed, command.group(2), List.of(folder.resolve(command.group(1))), PluginFolder.DEFAULT_OPTIONS);
        assertEquals("worker_checksum", name);
        var cache = Runtime.version().feature() < 25 ? null : PluginFolder.train(packed, name);
        var copy = folder.resolve("copied/elsewhere");
        copyAll(packed, copy);

        var output = run(
                ".plugin(ChecksumPlugin.class)",
                ".plugins(java.nio.file.Path.of(\"" + copy + "\"))"
                        + ".logs(dev.jurom.service.settings.LogSettings.DEFAULT.withLevels("
                        + "dev.jurom.runtime.LogLevel.INFO, dev.jurom.runtime.LogLevel.INFO))");

        assertTrue(output.lines().anyMatch("e3069283"::equals), output);
        assertTrue(cache == null || output.contains("uses the AOT cache " + copy.resolve(cache.getFileName())), output);
    }

    private static void copyAll(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : files.collect(Collectors.toList())) {
                var target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }
}
