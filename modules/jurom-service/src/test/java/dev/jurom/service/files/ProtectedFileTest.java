// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.runtime.DaemonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests files that other users must not read or write. */
class ProtectedFileTest {

    private static final Credentials OWN = Credentials.ofThisProcess();
    private static final int OTHER_USER = 4242;

    @TempDir
    private Path folder;

    private Path file(String permissions) throws IOException {
        var file = Files.writeString(folder.resolve("file"), "content");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static String read(Path file, ProtectedFile.Rule rule, Credentials own) {
        return ProtectedFile.read("key file", file, rule, own);
    }

    private static void assertRefused(Path file, ProtectedFile.Rule rule, Credentials own, String why) {
        var thrown = assertThrows(DaemonException.class, () -> read(file, rule, own));
        assertTrue(thrown.getMessage().contains(file.toString()), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(why), thrown.getMessage());
    }

    @Test
    void a_private_file_is_read() throws IOException {
        assertEquals("content", read(file("rw-------"), ProtectedFile.Rule.SECRET, OWN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw----", "rw----r--", "rw--w----", "rw-----w-", "rw------x"})
    void a_secret_that_others_may_access_is_refused(String permissions) throws IOException {
        assertRefused(file(permissions), ProtectedFile.Rule.SECRET, OWN, "chmod 600");
    }

    @Test
    void a_group_may_read_a_secret_of_roots_alone() throws IOException {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        var file = file("r--r-----");
        var somebody = new Credentials(OTHER_USER, OTHER_USER, false);

        assertEquals("content", read(file, ProtectedFile.Rule.SECRET, somebody));
        Files.setAttribute(file, "unix:uid", OTHER_USER);
        assertRefused(file, ProtectedFile.Rule.SECRET, somebody, "chmod 600");
        assertRefused(file, ProtectedFile.Rule.SECRET, OWN, "another user");
    }

    @Test
    void others_may_read_a_public_file_but_not_change_it() throws IOException {
        assertEquals("content", read(file("rw-r--r--"), ProtectedFile.Rule.UNCHANGED_BY_OTHERS, OWN));
        assertRefused(file("rw-rw-r--"), ProtectedFile.Rule.UNCHANGED_BY_OTHERS, OWN, "chmod go-w");
    }

    @Test
    void only_regular_files_are_read() throws IOException {
        assertRefused(folder, ProtectedFile.Rule.SECRET, OWN, "not a regular file");
        assertRefused(folder.resolve("nothing"), ProtectedFile.Rule.SECRET, OWN, "does not exist");
        var pipe = folder.resolve("pipe");
        Command.run("mkfifo", "-m", "600", pipe.toString());
        assertRefused(pipe, ProtectedFile.Rule.SECRET, OWN, "not a regular file");
    }

    @Test
    void a_file_in_a_directory_that_others_can_write_to_is_refused() throws IOException {
        var directory = Files.createDirectory(folder.resolve("directory"));
        var file = Files.move(file("rw-------"), directory.resolve("file"));
        assertEquals("content", read(file, ProtectedFile.Rule.SECRET, OWN));

        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertRefused(file, ProtectedFile.Rule.SECRET, OWN, "others can write to " + directory);
    }

    /** Kubernetes mounts secrets this way: root owns the sticky directory and the links in it. */
    @Test
    void a_link_is_followed_unless_another_user_made_it() throws IOException {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        var mounted = Files.createDirectory(folder.resolve("mounted"));
        Command.run("chmod", "1777", mounted.toString());
        var version = Files.createDirectory(mounted.resolve("..2024"));
        Files.move(file("r--r-----"), version.resolve("key"));
        var data = Files.createSymbolicLink(mounted.resolve("..data"), Path.of("..2024"));
        var key = Files.createSymbolicLink(mounted.resolve("key"), Path.of("..data/key"));
        var pod = new Credentials(OTHER_USER, OTHER_USER, false);
        assertEquals("content", read(key, ProtectedFile.Rule.SECRET, pod));

        Files.setAttribute(data, "unix:uid", OTHER_USER + 1, LinkOption.NOFOLLOW_LINKS);

        assertRefused(key, ProtectedFile.Rule.SECRET, pod, data + " belongs to user 4243");
    }

    @Test
    void a_file_has_at_most_1_mebibyte() throws IOException {
        var file = file("rw-------");
        Files.writeString(file, "");
        assertEquals("", read(file, ProtectedFile.Rule.SECRET, OWN));
        Files.write(file, new byte[(1 << 20) + 1]);
        assertRefused(file, ProtectedFile.Rule.SECRET, OWN, "longer than 1048576");
        Files.write(file, new byte[1 << 20]);
        assertEquals(1 << 20, read(file, ProtectedFile.Rule.SECRET, OWN).length());
    }
}
