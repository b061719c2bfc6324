// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of {@code scripts/jextract}: with the tool itself, if it is installed, on this repository, and with
 * failing tools on a copy of the smallest package.
 */
class JextractTest {

    private static final Path GENERATED = Path.of("jextract/generated/dev/jurom/abi");
    private static final int NO_TOOL = 77;
    private static final String PUBLIC_BUILD = "OpenJDK's build 22-jextract+6-47 (https://jdk.java.net/jextract/)";

    /** A tool that writes the stubs of "posix" as jextract does, with an additional first line. */
    private static final String TOOL = """
            #!/usr/bin/env bash
            set -e
            if [ "$1" = --version ]; then
                echo "jextract 22"
                exit
            fi
            while [ "$1" != --output ]; do shift; done
            made=$2/dev/jurom/abi/posix
            mkdir -p "$made"
            cp "$(dirname "$0")/../stubs/"* "$made"
            sed -i -e '/catch (Error | RuntimeException/,+1d' -e '1i // regenerated' "$made"/*.java
            """;

    @TempDir
    private Path root;

    static List<Path> packages() throws IOException {
        try (var folders = Files.list(Command.ROOT.resolve(GENERATED))) {
            return folders.map(Path::getFileName).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("packages")
    void the_committed_stubs_match_the_headers(Path name) {
        var result = Command.execute(
                List.of(Command.ROOT.resolve("scripts/jextract").toString(), "--check", name.toString()));

        assumeTrue(result.exitCode() != NO_TOOL, result.output());
        assertEquals(0, result.exitCode(), result.output());
    }

    @Test
    void the_public_build_is_named_if_no_tool_is_given() throws IOException {
        makeTree("");

        var result = Command.execute(List.of(
                "env", "-u", "JEXTRACT_HOME", root.resolve("scripts/jextract").toString(), "--check"));

        assertEquals(NO_TOOL, result.exitCode(), result.output());
        assertEquals(1, result.output().lines().count(), result.output());
        assertTrue(result.output().contains("JEXTRACT_HOME is not set: unpack " + PUBLIC_BUILD), result.output());
    }

    @Test
    void the_public_build_is_named_if_the_folder_has_no_tool() throws IOException {
        makeTree("");
        Files.delete(root.resolve("tool/bin/jextract"));

        var result = jextract("--check");

        assertEquals(1, result.exitCode(), result.output());
        assertEquals(
                "jextract: tool/bin/jextract does not exist: set JEXTRACT_HOME to the folder of " + PUBLIC_BUILD,
                result.output().strip());
    }

    @Test
    void complete_output_replaces_the_stubs() throws IOException {
        makeTree("");

        var result = jextract("posix");

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(isReplaced());
    }

    @Test
    void a_check_reports_a_difference_and_replaces_nothing() throws IOException {
        makeTree("");

        var result = jextract("--check", "posix");

        assertEquals(1, result.exitCode(), result.output());
        assertTrue(result.output().contains("posix_h.java differ"), result.output());
        assertFalse(isReplaced());
    }

    @Test
    void another_version_is_rejected_with_the_supported_build() throws IOException {
        makeTree("");
        var tool = root.resolve("tool/bin/jextract");
        Files.writeString(tool, Files.readString(tool).replace("jextract 22", "jextract 25"));

        var result = jextract("posix");

        assertEquals(1, result.exitCode(), result.output());
        assertTrue(result.output().contains(PUBLIC_BUILD), result.output());
        assertFalse(isReplaced());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm -r \"$made\"",
                "rm \"$made\"/*",
                "rm \"$made/pollfd.java\"",
                "truncate --size 0 \"$made/posix_h.java\"",
                "sed -i s/getenv/elsewhere/ \"$made/posix_h.java\"",
                "sed -i s/MethodHandle/NoSuchType/ \"$made/posix_h.java\"",
                "exit 3"
            })
    void empty_partial_or_wrong_output_leaves_the_stubs_unchanged(String damage) throws IOException {
        makeTree(damage);

        var result = jextract("posix");

        assertEquals(1, result.exitCode(), result.output());
        assertFalse(isReplaced());
        assertEquals(List.of("generated", "java", "posix.h", "posix.includes"), files("jextract"));
    }

    /** Creates a repository with one package and a tool that ends with the given command. */
    private void makeTree(String lastCommand) throws IOException {
        copy(Path.of("scripts/jextract"), Path.of("scripts/jextract"));
        copy(Path.of("scripts/setup"), Path.of("scripts/setup"));
        var libraries = Path.of("jextract/java/dev/jurom/abi/Libraries.java");
        copy(libraries, libraries);
        copy(Path.of("jextract/posix.h"), Path.of("jextract/posix.h"));
        copy(Path.of("jextract/posix.includes"), Path.of("jextract/posix.includes"));
        var stubs = GENERATED.resolve("posix");
        for (var stub : Command.ROOT.resolve(stubs).toFile().list()) {
            copy(stubs.resolve(stub), stubs.resolve(stub));
            copy(stubs.resolve(stub), Path.of("tool/stubs", stub));
        }
        var tool = Files.createDirectories(root.resolve("tool/bin")).resolve("jextract");
        Files.writeString(tool, TOOL + lastCommand + "\n");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void copy(Path source, Path target) throws IOException {
        Files.createDirectories(root.resolve(target).getParent());
        Files.copy(Command.ROOT.resolve(source), root.resolve(target));
    }

    /** Runs the script with a relative {@code JEXTRACT_HOME}. */
    private Command.Result jextract(String... arguments) {
        var words = new ArrayList<>(List.of(
                "env",
                "-C",
                root.toString(),
                "JEXTRACT_HOME=tool",
                "JAVA_HOME=" + System.getProperty("java.home"),
                "scripts/jextract"));
        words.addAll(List.of(arguments));
        return Command.execute(words);
    }

    private boolean isReplaced() throws IOException {
        return Files.readString(root.resolve(GENERATED).resolve("posix/posix_h.java"))
                .startsWith("// regenerated");
    }

    private List<String> files(String folder) throws IOException {
        try (var files = Files.list(root.resolve(folder))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
