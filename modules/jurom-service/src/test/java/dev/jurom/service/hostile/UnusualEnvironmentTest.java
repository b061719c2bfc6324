// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.HostOnlyProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests programs with an embedded service whose variables, folders and limits are unusual. */
class UnusualEnvironmentTest {

    /** Names that shells and service files treat specially, and one with a character outside of ASCII, for printf. */
    private static final List<String> NAMES = List.of("a b", "a#b", "a:b", "a%%b", "\\303\\274ber");

    @TempDir
    private Path folder;

    /**
     * Makes a folder and returns the shell command that sets the variable {@code folder} to it. The bytes of the name do
     * not pass through this JVM, whose locale may lack the character.
     */
    private String makeFolder(String name) {
        var command = "folder=" + folder + "/$(printf '" + name + "'); ";
        Command.run("sh", "-c", command + "mkdir -p -m 700 \"$folder\"");
        return command;
    }

    /** Runs the program after shell commands, without other variables, and with options of the JVM. */
    private static Command.Result run(String before, String... options) {
        var words = new ArrayList<>(List.of("unshare", "--user", "--map-user=1", "--map-group=1"));
        words.addAll(List.of("env", "-i", "DOCA_UROM_SERVICE_FILE=", "sh", "-c", before + " exec \"$@\"", "sh"));
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of(options));
        words.addAll(List.of(
                ForkedJvm.NATIVE_ACCESS,
                "-XX:-UsePerfData",
                "-Djurom.runtime=software",
                "-Djurom.source=" + Command.ROOT,
                "--class-path",
                Command.CLASS_PATH + ":" + Command.FIXTURES,
                HostOnlyProgram.class.getName()));
        return Command.execute(words);
    }

    private static void assertWorks(Command.Result result, String what) {
        assertEquals(0, result.exitCode(), what + result.output());
        assertTrue(result.output().endsWith("42\n"), result.output());
    }

    private static void assertFails(Command.Result result, String... expected) {
        assertNotEquals(0, result.exitCode());
        for (var words : expected) {
            assertTrue(result.output().contains(words), result.output());
        }
    }

    @Test
    void variables_may_name_folders_with_any_characters_in_any_locale() {
        for (var name : NAMES) {
            var before = makeFolder(name) + "export XDG_RUNTIME_DIR=\"$folder\" XDG_CACHE_HOME=\"$folder\" LC_ALL=";
            for (var locale : name.startsWith("a") ? List.of("C") : List.of("C", "C.UTF-8")) {
                assertWorks(run(before + locale + ";"), name + " in " + locale);
            }
        }
    }

    @Test
    void a_cache_that_the_locale_cannot_represent_is_named_with_the_remedy() {
        var before = makeFolder("\\303\\274ber") + "export JDK_JAVA_OPTIONS=-Djurom.cache.path=$folder/cache LC_ALL=";

        assertWorks(run(before + "C.UTF-8;"), "cache");
        assertFails(run(before + "C;"), "jurom.cache.path is \"" + folder, "such as LC_ALL=C.UTF-8");
    }

    @Test
    void a_home_that_is_the_root_missing_or_not_writable_and_no_variables_suffice() {
        for (var home : List.of("/", "?", "/no/such/folder", "/proc")) {
            assertWorks(run("", "-Duser.home=" + home, "-Duser.name=?"), home);
        }
    }

    @Test
    void a_limit_of_the_size_of_files_is_named() throws IOException {
        var cache = Files.createDirectory(folder.resolve("cache"));

        assertFails(run("ulimit -f 8;", "-Djurom.cache.path=" + cache.resolve("jurom")), "ulimit -f");
    }

    @Test
    void a_worker_that_exceeds_the_limit_of_the_size_of_files_names_it() {
        var software = Command.ROOT.resolve("target/software/META-INF/native") + "/linux-"
                + Command.run("uname", "-m").strip();

        assertFails(run("ulimit -f 64;", "-Djurom.software.path=" + software), "ulimit -f");
    }
}
