// SPDX-License-Identifier: Apache-2.0
package dev.jurom.nativelibraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verifies that a jar with unexpected files fails the build. */
class JarGateTest {

    private static final byte[] FOR_X86_64 = header(62);
    private static final byte[] FOR_AARCH64 = header(183);

    @TempDir
    private Path folder;

    private Path list;

    private static byte[] header(int machine) {
        var header = new byte[64];
        header[0] = 0x7F;
        header[1] = 'E';
        header[2] = 'L';
        header[3] = 'F';
        header[18] = (byte) machine;
        return header;
    }

    @BeforeEach
    void makeList() throws IOException {
        list = Files.write(folder.resolve("files"), List.of("# for each MACHINE", "a", "native/linux-MACHINE/b"));
    }

    private Path jar(byte[] content, String... names) throws IOException {
        var jar = folder.resolve("some.jar");
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (var name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(content);
            }
        }
        return jar;
    }

    private void assertGate(int exitCode, String words, Path jar) throws Exception {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC", // as the other JVMs of tests, since it runs for seconds only
                        "-XX:TieredStopAtLevel=1",
                        "src/gate/JarGate.java",
                        list.toString(),
                        jar.toString(),
                        "x86_64")
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(exitCode, process.exitValue(), output);
        assertTrue(output.contains(words), output);
    }

    @Test
    void a_jar_with_its_files_passes() throws Exception {
        assertGate(0, "", jar(FOR_X86_64, "a", "native/linux-x86_64/b"));
    }

    @Test
    void a_jar_that_lacks_a_file_is_refused() throws Exception {
        assertGate(1, "lacks native/linux-x86_64/b", jar(FOR_X86_64, "a"));
    }

    @Test
    void a_jar_with_a_file_too_many_is_refused() throws Exception {
        assertGate(1, "should not have core", jar(FOR_X86_64, "a", "native/linux-x86_64/b", "core"));
    }

    @Test
    void libraries_of_another_machine_are_refused() throws Exception {
        assertGate(1, "not for x86_64: native/linux-x86_64/b", jar(FOR_AARCH64, "a", "native/linux-x86_64/b"));
    }
}
