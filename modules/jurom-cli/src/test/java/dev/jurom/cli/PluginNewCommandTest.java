// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The projects are built and run by the module consumers. */
class PluginNewCommandTest {

    @TempDir
    private Path folder;

    private Programs.Printed create(String language, String name, Path directory) {
        return Programs.uromFrom(Map.of(), "plugin", "new", language, name, directory.toString());
    }

    /** Returns the paths of the files in the folder. */
    private Set<String> files() throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .collect(Collectors.toSet());
        }
    }

    @ParameterizedTest
    @CsvSource({"--java, Checksum, java-plugin", "--c, WordCount, c-plugin"})
    void with_the_name_of_the_example_the_project_is_the_example(String language, String name, String example)
            throws IOException {
        var created = create(language, name, folder.resolve("project"));

        assertEquals(ExitCode.DONE, created.exitCode(), created::error);
        assertEquals(folder.resolve("project/README.md") + "\n", created.output());
        var source = Command.ROOT.resolve("examples").resolve(example);
        var tracked = Command.run(
                        "git", "-C", source.toString(), "ls-files", "--cached", "--others", "--exclude-standard")
                .lines()
                .collect(Collectors.toSet());
        assertEquals(tracked.stream().map(file -> "project/" + file).collect(Collectors.toSet()), files());
        for (var file : tracked) {
            var text = Files.readString(source.resolve(file));
            var licence = text.contains("SPDX") ? text.substring(0, text.indexOf('\n') + 1) : "";
            assertEquals(
                    text, licence + Files.readString(folder.resolve("project").resolve(file)), file);
        }
    }

    @Test
    void names_are_replaced_in_files_and_their_paths() throws IOException {
        var project = folder.resolve("project");

        assertEquals(ExitCode.DONE, create("--c", "HTTPHeader2", project).exitCode());

        assertTrue(files().containsAll(Set.of(
                "project/worker_http_header2.c",
                "project/http_header2.h",
                "project/src/main/java/HTTPHeader2Host.java")));
        for (var file : files()) {
            var text = Files.readString(folder.resolve(file));
            assertFalse(text.matches("(?is).*word_?count.*") || text.contains("SPDX"), file);
        }
        var release = Files.readString(Command.ROOT.resolve("modules/pom.xml"))
                .replaceFirst("(?s).*?(<version>.*?</version>).*", "$1");
        assertTrue(Files.readString(project.resolve("pom.xml")).contains(release), release);
    }

    @Test
    void the_folder_has_the_name_of_the_plugin_and_usual_permissions() throws IOException {
        var usual = Files.getPosixFilePermissions(Files.createDirectory(folder.resolve("usual")));

        Command.run(
                "bash",
                "-c",
                "cd '" + folder + "' && '"
                        + String.join("' '", Programs.uromWords("plugin", "new", "--java", "LineLength")) + "'");

        assertEquals(usual, Files.getPosixFilePermissions(folder.resolve("line_length")));
        assertTrue(files().contains("line_length/src/main/java/LineLengthPlugin.java"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"word-count", "wordCount", "Wörter", "2Words", "Word.Count", "", "Word/../../Count"})
    void a_name_that_is_not_a_class_name_is_rejected(String name) throws IOException {
        assertRejected(
                ExitCode.USAGE, "NAME \"" + name + "\" is not a class name", "--java", name, folder.resolve("project"));
    }

    @Test
    void a_name_that_is_too_long_is_rejected() throws IOException {
        assertRejected(
                ExitCode.USAGE,
                "would have 48 characters, and the limit is 47",
                "--java",
                "A".repeat(41),
                folder.resolve("project"));
    }

    @ParameterizedTest
    @CsvSource({
        "--java, Worker, WorkerPlugin",
        "--java, Offload, Offload",
        "--java, String, String",
        "--c, Test, Test",
    })
    void a_name_that_the_project_uses_itself_is_rejected(String language, String name, String both) throws IOException {
        assertRejected(
                ExitCode.USAGE,
                "NAME \"" + name + "\" would give " + both + " a second meaning",
                language,
                name,
                folder.resolve("project"));
    }

    @Test
    void a_folder_that_exists_is_not_changed() throws IOException {
        var existing = Files.createDirectory(folder.resolve("project"));

        assertRejected(
                ExitCode.FILE, existing + " exists: DIRECTORY must name a new folder", "--java", "Sum", existing);
    }

    @Test
    void a_folder_without_parent_is_rejected() throws IOException {
        var parent = folder.resolve("absent");

        assertRejected(ExitCode.FILE, parent + " is not a folder: create it", "--c", "Sum", parent.resolve("project"));
    }

    /** Files in /proc/self/fd cannot be created, even by root. */
    @Test
    void a_folder_that_cannot_be_written_is_an_error() throws IOException {
        assertRejected(ExitCode.FILE, "/proc/self/fd", "--c", "Sum", Path.of("/proc/self/fd/project"));
    }

    /** A failure while the files are written leaves nothing: the disk is full after the first ones. */
    @Test
    void a_failure_leaves_nothing() throws IOException {
        var words = Programs.uromWords(
                "plugin", "new", "--java", "Sum", folder.resolve("project").toString());

        var limited = Programs.run(
                Map.of(), List.of("bash", "-c", "ulimit -f 1; trap '' XFSZ; '" + String.join("' '", words) + "'"));

        assertEquals(ExitCode.FILE, limited.exitCode(), limited::error);
        assertTrue(limited.error().contains("File too large"), limited::error);
        assertEquals(Set.of(), files());
        assertEquals(0, folder.toFile().list().length);
    }

    @Test
    void the_language_must_be_given() {
        var printed = Programs.uromFrom(
                Map.of(), "plugin", "new", "Sum", folder.resolve("project").toString());

        assertEquals(ExitCode.USAGE, printed.exitCode());
        assertTrue(printed.error().contains("--java") && printed.error().contains("--c"), printed::error);
    }

    private void assertRejected(int exitCode, String message, String language, String name, Path directory)
            throws IOException {
        var before = List.of(folder.toFile().list());

        var printed = create(language, name, directory);

        assertEquals(exitCode, printed.exitCode(), printed::error);
        assertTrue(printed.error().contains(message), printed::error);
        assertEquals(1, printed.error().lines().count(), printed::error);
        assertEquals(before, List.of(folder.toFile().list()));
        assertEquals(Set.of(), files());
    }
}
