// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.runtime.internal.TrustedPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which owners of files a service trusts. */
class TrustedPathTest {

    private static final Credentials OWN = Credentials.ofThisProcess();
    private static final int OTHER_USER = 4242;

    @TempDir
    private Path folder;

    private Path directory;
    private Path file;

    @BeforeEach
    void makeFile() throws IOException {
        directory = Files.createDirectory(folder.toRealPath().resolve("directory"));
        file = Files.writeString(directory.resolve("file"), "");
    }

    private void assertRefused(Path path, boolean rootOnly, Path component) throws IOException {
        var trusted = new TrustedPath(OWN.userId(), rootOnly);
        var thrown = assertThrows(IOException.class, () -> trusted.require(path));
        assertTrue(thrown.getMessage().contains(component.toString()), thrown.getMessage());
    }

    private static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void a_file_of_ones_own_is_trusted() throws IOException {
        assertEquals(file, new TrustedPath(OWN.userId(), false).require(file));
    }

    @Test
    void a_file_that_others_can_write_is_rejected() throws IOException {
        permit(file, "rw-rw-r--");
        assertRefused(file, false, file);
        permit(file, "rw-r--r--");
        permit(directory, "rwxr-xrwx");
        assertRefused(file, false, directory);
    }

    @Test
    void links_are_resolved_and_each_component_is_checked() throws IOException {
        var link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertEquals(file, new TrustedPath(OWN.userId(), false).require(link));

        permit(directory, "rwxrwxrwx");
        assertRefused(link, false, directory);
    }

    @Test
    void nested_and_relative_links_are_resolved_up_to_a_limit() throws IOException {
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("directory"));
        var link = Files.createSymbolicLink(folder.resolve("link"), Path.of("x/../..data/file"));
        Files.createDirectory(folder.resolve("x"));
        assertEquals(file, new TrustedPath(OWN.userId(), false).require(link));

        var circle = Files.createSymbolicLink(folder.resolve("circle"), Path.of("circle"));
        assertRefused(circle, false, circle);
    }

    /** With such links in /tmp, another user can redirect a service to one of its own files. */
    @Test
    void a_link_of_another_user_is_refused_wherever_it_leads() throws IOException {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        var open = Files.createDirectory(folder.resolve("open"));
        Command.run("chmod", "1777", open.toString());
        var toFile = Files.createSymbolicLink(open.resolve("file"), file);
        var toDirectory = Files.createSymbolicLink(open.resolve("directory"), directory);
        var trusted = new TrustedPath(OWN.userId(), false);
        assertEquals(file, trusted.require(toFile));
        assertEquals(file, trusted.require(toDirectory.resolve("file")));

        for (var link : List.of(toFile, toDirectory)) {
            Files.setAttribute(link, "unix:uid", OTHER_USER, LinkOption.NOFOLLOW_LINKS);
        }

        assertRefused(toFile, false, toFile);
        assertRefused(toDirectory.resolve("file"), false, toDirectory);
        assertRefused(Files.createSymbolicLink(folder.resolve("link"), toFile), false, toFile);
    }

    @Test
    void a_file_of_another_user_is_rejected() throws IOException {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        Files.setAttribute(directory, "unix:uid", OTHER_USER);

        assertRefused(file, false, directory);
    }

    @Test
    void a_file_that_all_users_run_must_belong_to_root() throws IOException {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        Files.setAttribute(file, "unix:uid", OTHER_USER);

        assertEquals(file, new TrustedPath(OTHER_USER, false).require(file));
        assertThrows(IOException.class, () -> new TrustedPath(OTHER_USER, true).require(file));
    }

    @Test
    void a_missing_file_is_named() throws IOException {
        assertRefused(folder.resolve("nothing"), false, folder.resolve("nothing"));
    }

    @Test
    void a_component_that_is_closed_to_others_is_found() throws IOException {
        permit(directory, "rwx------");
        permit(folder, "rwxr-xr-x");
        permit(file, "rw-r--r--");
        assertEquals(directory, TrustedPath.closedComponent(file));
        permit(directory, "rwx--x--x");
        assertNull(TrustedPath.closedComponent(file));
    }
}
