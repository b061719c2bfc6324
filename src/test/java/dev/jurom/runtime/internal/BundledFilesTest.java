// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.ForkedJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundledFilesTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"amd64, x86_64", "aarch64, aarch64"})
    void the_files_of_the_jvms_architecture_are_unpacked(String architecture, String machine) throws IOException {
        var services = Files.createDirectories(folder.resolve("services/META-INF/services"));
        Files.writeString(
                services.resolve("dev.jurom.runtime.SoftwareBundle"), UnpackProgram.NamedFiles.class.getName());

        var result = ForkedJvm.run(
                UnpackProgram.class,
                "-Darchitecture=" + architecture,
                "-Djurom.cache.path=" + folder.resolve("cache"),
                "-Xbootclasspath/a:" + folder.resolve("services"));

        assertEquals(machine + "/bin/urom_worker\n", result.output());
    }
}
