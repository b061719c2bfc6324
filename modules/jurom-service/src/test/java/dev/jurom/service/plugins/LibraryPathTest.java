// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.TestDaemon;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.LogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which elements of {@code LD_LIBRARY_PATH} are passed to workers. */
class LibraryPathTest {

    private static final int OTHER_USER = 12_345;

    @TempDir
    private Path folder;

    private Path good;

    @BeforeEach
    void makeFolder() throws IOException {
        good = Files.createDirectory(folder.resolve("good"));
        Files.writeString(good.resolve("libgood.so.1"), "");
        Files.createSymbolicLink(good.resolve("libgood.so"), Path.of("libgood.so.1"));
    }

    /** Returns the environment of workers and logs the dropped elements. */
    private Map<String, String> environment(String value) {
        try (var log = ServiceLog.toFile(
                folder.resolve("log"),
                LogSettings.DEFAULT.withLevels(LogLevel.INFO, LogLevel.INFO).withRotation(1 << 20, 1))) {
            var libraries = new LibraryPath(
                    value, new TrustedPath(Credentials.ofThisProcess().userId(), false), log);
            libraries.check();
            var environment = new HashMap<String, String>();
            libraries.addTo(environment);
            return environment;
        }
    }

    /** Asserts that an element next to a valid one is dropped, and that the log gives the cause. */
    private void assertDropped(String element, String cause) {
        assertEquals(Map.of("LD_LIBRARY_PATH", good.toString()), environment(element + ":" + good));
        var log = TestDaemon.log(folder.resolve("log"));
        assertTrue(log.contains("The element \"" + element + "\" of LD_LIBRARY_PATH is dropped: "), log);
        assertTrue(log.contains(cause), log);
    }

    private Path directory(String name, String mode) throws IOException {
        var directory = Files.createDirectory(folder.resolve(name));
        Command.run("chmod", mode, directory.toString());
        return directory;
    }

    @Test
    void folders_that_no_other_user_can_change_are_passed_on_without_links() throws IOException {
        var link = Files.createSymbolicLink(folder.resolve("link"), good);
        var other = directory("other", "755");

        assertEquals(Map.of("LD_LIBRARY_PATH", good + ":" + other), environment(link + ";" + other));
        assertEquals(Map.of(), environment(null));
        assertEquals(Map.of(), environment(""));
    }

    @Test
    void relative_and_missing_folders_are_dropped() throws IOException {
        assertDropped("good", "use an absolute one");
        assertDropped(folder.resolve("missing").toString(), "missing is not there");
        assertDropped(good.resolve("libgood.so").toString(), "is not a directory");
        assertDropped(directory("$ORIGIN", "755").toString(), "use another folder");
        assertEquals(Map.of("LD_LIBRARY_PATH", good.toString()), environment(":" + good + ":"));
    }

    @Test
    void folders_to_which_others_can_write_are_dropped() throws IOException {
        assertDropped(directory("group", "775").toString(), "use chmod go-w");
        assertDropped(directory("sticky", "1777").toString(), "others can add files to ");
        var below = Files.createDirectory(directory("above", "777").resolve("below"));
        assertDropped(below.toString(), "others can write to " + below.getParent());
    }

    @Test
    void folders_with_a_library_that_others_can_change_are_dropped() throws IOException {
        var open = directory("open", "755");
        Files.writeString(open.resolve("libopen.so.2"), "");
        Command.run("chmod", "666", open.resolve("libopen.so.2").toString());
        assertDropped(open.toString(), "libopen.so.2");

        var leading = directory("leading", "755");
        Files.createSymbolicLink(leading.resolve("libopen.so"), open.resolve("libopen.so.2"));
        assertDropped(leading.toString(), "libopen.so.2");

        var nested = directory("nested", "755");
        Files.createDirectory(nested.resolve("glibc-hwcaps"));
        Command.run("chmod", "777", nested.resolve("glibc-hwcaps").toString());
        assertDropped(nested.toString(), "glibc-hwcaps");
    }

    @Test
    void folders_of_another_user_are_dropped() throws IOException {
        assumeTrue(Credentials.ofThisProcess().userId() == Credentials.ROOT, "cannot give files away");
        var foreign = directory("foreign", "755");
        Files.setAttribute(foreign, "unix:uid", OTHER_USER);
        assertDropped(foreign.toString(), foreign + " belongs to user " + OTHER_USER);

        var copied = directory("copied", "755");
        var library = Files.writeString(copied.resolve("libcopied.so"), "");
        Files.setAttribute(library, "unix:uid", OTHER_USER);
        assertDropped(copied.toString(), library + " belongs to user " + OTHER_USER);
    }
}
