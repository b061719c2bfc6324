// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.service.files.Credentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that native files are unpacked where no other user can exchange them. */
class CacheLocationTest {

    private static final int OTHER_USER = 4242;
    private static final Credentials OWN = Credentials.ofThisProcess();
    private static final String NAME = "jurom-cache-" + OWN.userId();

    @TempDir
    private Path folder;

    private Path cache;
    private Path home;
    private Path temporary;

    @BeforeEach
    void makeFolders() throws IOException {
        folder = folder.toRealPath();
        cache = Files.createDirectory(folder.resolve("cache"));
        home = Files.createDirectory(folder.resolve("home"));
        temporary = Files.createDirectory(folder.resolve("tmp"));
        Command.run("chmod", "1777", temporary.toString());
    }

    /** Returns the folder that another process uses, which has no name of its user. */
    private Path used() throws Exception {
        var words = ForkedJvm.command(
                CacheUserProgram.class,
                ForkedJvm.NATIVE_ACCESS,
                "-Duser.home=" + home,
                "-Duser.name=?",
                "-Djava.io.tmpdir=" + temporary);
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("XDG_CACHE_HOME", cache.toString());
        var process = builder.start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return Path.of(output.lines().findFirst().orElseThrow());
    }

    private void assertUsed(Path expected) throws Exception {
        assertEquals(expected, used().getParent());
    }

    /** Makes a folder one that other users can exchange. */
    private static void open(Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void an_unsafe_folder_leads_to_the_next() throws Exception {
        assertUsed(cache.resolve("jurom"));
        open(cache);
        assertUsed(home.resolve(".cache/jurom"));
        open(home.resolve(".cache"));
        assertUsed(temporary.resolve(NAME));
    }

    @Test
    void a_folder_below_one_of_another_user_is_not_used() throws Exception {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        Files.createDirectory(
                cache.resolve("jurom"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.setAttribute(cache, "unix:uid", OTHER_USER);

        assertUsed(home.resolve(".cache/jurom"));
    }

    @Test
    void a_link_of_another_user_is_not_followed() throws Exception {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        var target = cache;
        cache = Files.createSymbolicLink(temporary.resolve("link"), target);
        assertUsed(target.resolve("jurom"));
        Command.run("chown", "-h", Integer.toString(OTHER_USER), cache.toString());

        assertUsed(home.resolve(".cache/jurom"));
    }

    @Test
    void a_name_that_is_taken_leads_to_a_private_folder_which_later_processes_share() throws Exception {
        open(cache);
        open(home);
        var taken = Files.createDirectory(temporary.resolve(NAME));
        Files.setPosixFilePermissions(taken, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(temporary.resolve(NAME + "-file"), "");
        for (var permissions : List.of("rwxr-xr-x", "rwxrwxrwx")) {
            Files.setPosixFilePermissions(
                    Files.createDirectories(temporary.resolve(NAME + "-" + permissions)),
                    PosixFilePermissions.fromString(permissions));
        }

        var first = used().getParent();

        assertTrue(first.toString().startsWith(taken + "-"), first.toString());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(first)));
        assertUsed(first);
    }
}
