// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.internal.SoftwareInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when UCX is loaded, and that it does not change process-wide state. */
class UcxLibraryTest {

    /** Flags of a JVM that does not start or end threads by itself. */
    private static final String[] FEW_THREADS = {
        "-Xint",
        "-XX:+UseSerialGC",
        // else it computes the hash of the files to unpack, which takes seconds without a compiler
        "-Djurom.software.path=" + SoftwareInstallation.current().prefix()
    };

    @TempDir
    private Path folder;

    @Test
    void ucx_is_loaded_by_the_first_context_and_changes_no_process_wide_state() {
        var result = ForkedJvm.run(UcxLoadingProgram.class, FEW_THREADS);

        assertEquals(0, result.exitCode(), result.output());
        assertEquals(
                List.of(
                        "libraries of the DOCA: []",
                        "libraries of a context: [libucp, libucs]",
                        "sockets of a context: []",
                        "threads of a context: []",
                        "rewritten code: 0 KiB",
                        "internet sockets: []",
                        "same masks: true",
                        "changed signals: []"),
                result.output().lines().toList());
    }

    @Test
    void datagrams_of_another_process_do_not_terminate_a_host_that_uses_ucx() {
        var intruder = folder.resolve("intruder");
        Command.run(
                "cc",
                "-o",
                intruder.toString(),
                Command.ROOT.resolve("src/test/c/attack/intrude.c").toString());

        var result = ForkedJvm.run(UcxLoadingProgram.class, "-Dintruder=" + intruder);

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().matches("(?s).*\\b[1-9][0-9]* taken\ngoes on\n.*"), result.output());
    }

    @ParameterizedTest
    @CsvSource({"HUP, 129", "TERM, 143"})
    void a_signal_still_shuts_the_jvm_down_in_order(String signal, int exitCode) {
        try (var jvm = ForkedJvm.start(UcxLoadingProgram.class, "-Dstay=true")) {
            Waiting.until("the program stays", () -> jvm.output().contains("stays\n"));

            Command.run("kill", "-" + signal, Long.toString(jvm.process().pid()));
            var result = jvm.await();

            assertEquals(exitCode, result.exitCode(), result.output());
            assertTrue(result.output().endsWith("the JVM ends in order\n"), result.output());
        }
    }

    @Test
    void a_process_at_its_limit_of_threads_gets_an_exception() {
        assumeTrue(Command.execute(List.of("setpriv", "--reuid=61183", "true")).exitCode() == 0);
        var words = new ArrayList<>(List.of("prlimit", "--nproc=100", "setpriv", "--reuid=61183", "--clear-groups"));
        words.addAll(ForkedJvm.command(ThreadLimitProgram.class, ForkedJvm.NATIVE_ACCESS, "-XX:+UseSerialGC"));

        var result = Command.execute(words);

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("refused: UCX requires another thread"), result.output());
    }

    @Test
    void settings_in_the_working_directory_are_not_read() throws Exception {
        var output = folder.resolve("output");
        Files.writeString(folder.resolve("ucx.conf"), "UCX_RNDV_THRESH=plenty\n");

        var program = new ProcessBuilder(ForkedJvm.command(UcxLoadingProgram.class, ForkedJvm.NATIVE_ACCESS))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            Waiting.until("the end of the program", () -> !program.isAlive());
        } finally {
            program.destroyForcibly();
        }

        var printed = Files.readString(output);
        assertFalse(printed.contains("RNDV_THRESH"), printed);
        // If a thread cannot have its own working directory, the file is rejected.
        assertTrue(program.exitValue() == 0 || printed.contains("/ucx.conf"), printed);
    }

    @Test
    void settings_that_ucx_would_read_are_refused_by_name() throws IOException {
        assertDoesNotThrow(() -> RootDirectory.requireNoSettings(folder));
        Files.writeString(folder.resolve("ucx.conf"), "");

        var thrown = assertThrows(LibraryLoadException.class, () -> RootDirectory.requireNoSettings(folder));

        assertTrue(thrown.getMessage().contains(folder.toRealPath() + "/ucx.conf"), thrown.getMessage());
    }

    @Test
    void without_ucx_the_error_says_how_to_install_it() throws IOException {
        var library = install().resolve("libjurom_ucx.so");
        var content = Files.readString(library, ISO_8859_1);
        Files.writeString(library, content.replace("libucp.so.0", "libucp.so.x"), ISO_8859_1);

        var result = ForkedJvm.run(UcxLoadingProgram.class, "-Djurom.software.path=" + folder);

        assertEquals(1, result.exitCode(), result.output());
        assertTrue(result.output().contains(library + " cannot be loaded"), result.output());
        assertTrue(result.output().contains("libucp.so.x: cannot open shared object file"), result.output());
        assertTrue(result.output().contains("apt-get install libucx0"), result.output());
    }

    @Test
    void an_installation_without_the_library_is_reported_by_name() throws IOException {
        Files.delete(install().resolve("libjurom_ucx.so"));

        var result = ForkedJvm.run(UcxLoadingProgram.class, "-Djurom.software.path=" + folder);

        assertEquals(1, result.exitCode(), result.output());
        assertTrue(result.output().contains("libjurom_ucx.so is not in " + folder), result.output());
    }

    /** Copies the libraries of the software DOCA and returns their folder. */
    private Path install() throws IOException {
        var libraries = Files.createDirectory(folder.resolve("lib"));
        try (var files = Files.newDirectoryStream(SoftwareInstallation.current().libraries(), "*.so*")) {
            for (var file : files) {
                Files.copy(file, libraries.resolve(file.getFileName()));
            }
        }
        return libraries;
    }
}
