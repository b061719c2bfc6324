// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import dev.jurom.runtime.internal.SoftwareInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocaRuntimeTest {

    @TempDir
    private Path folder;

    @Test
    void without_a_vendor_library_the_software_is_used_and_reports_why() {
        var runtime = DocaRuntime.current();

        assertSame(runtime, DocaRuntime.current());
        assertEquals(RuntimeKind.SOFTWARE, runtime.kind());
        assertTrue(Files.isRegularFile(runtime.directory().resolve("libdoca_urom.so.3")));
        assertTrue(runtime.passedOver().contains("libdoca_urom"), runtime.passedOver());
        assertTrue(runtime.summary().startsWith("software (/"), runtime.summary());
        assertEquals("3.0.0058", runtime.version());
        assertEquals("3.0.0058", DocaRuntime.interfaceVersion());
    }

    @Test
    void a_requested_vendor_library_that_is_missing_is_an_error() {
        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.runtime=vendor");

        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains("LibraryLoadException"), result.output());
        assertTrue(result.output().contains("jurom.library.path"), result.output());
    }

    @Test
    void a_vendor_library_that_fails_to_load_is_an_error_with_the_loaders_message() throws IOException {
        Files.writeString(folder.resolve("libdoca_common.so"), "not a library");
        Files.writeString(folder.resolve("libdoca_urom.so"), "not a library");

        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.library.path=" + folder);

        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains(folder.resolve("libdoca_common.so").toString()), result.output());
        assertTrue(
                result.output().contains("file too short") || result.output().contains("invalid ELF header"),
                result.output());
    }

    @Test
    void a_vendor_library_without_its_dependencies_is_an_error() throws IOException {
        Files.writeString(folder.resolve("libdoca_urom.so.2"), "");

        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.library.path=" + folder);

        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains("libdoca_common.so is not in " + folder), result.output());
    }

    @Test
    void a_requested_vendor_library_is_found_on_the_library_path() {
        var libraries = SoftwareInstallation.current().libraries();

        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.runtime=vendor", "-Djurom.library.path=" + libraries);

        assertEquals(0, result.exitCode(), result.output());
        assertEquals("vendor (" + libraries + ")", result.output().strip());
    }

    @Test
    void an_installed_software_doca_is_not_used_as_the_vendors() {
        var libraries = SoftwareInstallation.current().libraries();

        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.library.path=" + libraries);

        assertTrue(result.output().startsWith("software ("), result.output());
    }

    @Test
    void an_unknown_runtime_is_rejected_by_name() {
        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.runtime=hardware");

        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains("\"hardware\""), result.output());
    }

    @Test
    void a_software_path_replaces_the_jars_libraries() {
        var prefix = SoftwareInstallation.current().prefix();

        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.software.path=" + prefix);

        assertEquals("software (" + prefix.resolve("lib") + ")", result.output().strip());
    }

    @Test
    void a_software_path_without_libraries_is_rejected() {
        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.software.path=" + folder);

        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains("jurom.software.path"), result.output());
    }

    @Test
    void processes_can_unpack_concurrently() {
        var cache = folder.resolve("cache");
        var jvms = new ArrayList<ForkedJvm>();
        for (var i = 0; i < 3; i++) {
            jvms.add(ForkedJvm.start(RuntimeProgram.class, "-Djurom.cache.path=" + cache));
        }
        for (var jvm : jvms) {
            try (jvm) {
                var result = jvm.await();
                assertEquals(0, result.exitCode(), result.output());
                assertTrue(result.output().contains(cache.toString()), result.output());
            }
        }
    }

    @Test
    void several_class_loaders_can_use_the_library_and_are_collected_afterwards() {
        var result = ForkedJvm.run(
                ClassLoadersProgram.class, "--enable-native-access=ALL-UNNAMED", "-XX:SoftRefLRUPolicyMSPerMB=0");

        assertEquals(0, result.exitCode(), result.output());
    }

    @Test
    void a_tampered_file_in_the_cache_is_replaced() throws IOException {
        var cache = folder.resolve("cache");
        ForkedJvm.run(RuntimeProgram.class, "-Djurom.cache.path=" + cache);
        Path library;
        try (var files = Files.walk(cache)) {
            library = files.filter(file -> file.endsWith("libdoca_urom.so.3"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.writeString(library, "not a library");

        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.cache.path=" + cache);

        assertEquals(0, result.exitCode(), result.output());
    }

    @Test
    void a_cache_accessible_to_other_users_is_rejected() throws IOException {
        var open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));

        var result = ForkedJvm.run(RuntimeProgram.class, "-Djurom.cache.path=" + open);

        assertEquals(1, result.exitCode());
        assertTrue(result.output().contains("open to other users"), result.output());
        assertFalse(Files.exists(open.resolve("lib")));
    }
}
