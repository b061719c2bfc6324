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
    private static final int LONGEST_CALL = 8;
    private static final String IMPORTS = """
            import dev.jurom.*;
            import dev.jurom.service.*;
            import java.lang.foreign.*;
            import java.nio.file.*;
            """;

    private Path folder;

    @BeforeAll
    void compileFiles(@TempDir Path empty) throws IOException {
        folder = empty;
        PAGE.writeFiles(folder);
        compile(
                "src/main/java/Checksum.java",
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

    /** Compiles and runs statements of the page, and returns their output. */
    private String run(String name, String statements) throws IOException {
        Files.writeString(
                folder.resolve(name + ".java"),
                IMPORTS + "public class " + name
                        + " {\npublic static void main(String[] arguments) throws Exception {\n" + statements
                        + "}\n}\n");
        compile(name + ".java");
        var words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(ForkedJvm.options());
        words.addAll(List.of(
                ForkedJvm.NATIVE_ACCESS, "-cp", folder.resolve("target/classes") + ":" + Command.CLASS_PATH, name));
        return Command.run(words);
    }

    @Test
    void its_property_passes() {
        var output = Command.run(ForkedTests.command(List.of("ChecksumTest"), folder.resolve("target/classes")));

        assertTrue(output.contains("1 of 1 tests passed"), output);
    }

    @Test
    void plugin_and_call_are_short_and_the_call_prints_the_answer() throws IOException {
        var call = PAGE.fragments("java").getFirst();

        var output = run("Call", call);

        assertTrue(output.lines().anyMatch("e3069283"::equals), output);
        assertTrue(call.lines().count() <= LONGEST_CALL);
        try (var lines = Files.lines(folder.resolve("src/main/java/ChecksumPlugin.java"))) {
            assertTrue(lines.count() <= LONGEST_PLUGIN);
        }
    }

    @Test
    void the_plugin_that_answers_from_other_threads_prints_the_same() throws IOException {
        var call = PAGE.fragments("java").getFirst();

        var output = run("Parallel", call.replace("ChecksumPlugin.class", "ParallelChecksumPlugin.class"));

        assertTrue(output.lines().anyMatch("e3069283"::equals), output);
    }

    @Test
    void the_packaged_plugin_runs_from_a_copied_folder_with_its_cache() throws Exception {
        var command = PACKAGE.matcher(PAGE.fragments("sh").getFirst());
        assertTrue(command.matches());
        var packed = folder.resolve(command.group(3));
        var name = PluginFolder.pack(
                packed, command.group(2), List.of(folder.resolve(command.group(1))), PluginFolder.DEFAULT_OPTIONS);
        assertEquals("worker_checksum", name);
        var cache = Runtime.version().feature() < 25 ? null : PluginFolder.train(packed, name);
        var copy = folder.resolve("copied/elsewhere");
        copyAll(packed, copy);

        var output = run(
                "Packaged",
                PAGE.fragments("java")
                        .getFirst()
                        .replace(
                                ".plugin(ChecksumPlugin.class)",
                                ".plugins(Path.of(\"" + copy + "\"))"
                                        + ".logs(dev.jurom.service.settings.LogSettings.DEFAULT.withLevels("
                                        + "dev.jurom.runtime.LogLevel.INFO, dev.jurom.runtime.LogLevel.INFO))"));

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
