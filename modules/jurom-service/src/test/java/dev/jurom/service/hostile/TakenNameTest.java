// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.service.files.Credentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a service of a user whose name in {@code /tmp} another user has taken. */
class TakenNameTest {

    /** A user without an account and a runtime directory. */
    private static final String USER = "4243";

    private static final Path TAKEN = Path.of("/tmp/jurom-" + USER);

    @TempDir
    private Path folder;

    @Test
    void a_service_has_a_private_folder_of_another_name() throws Exception {
        assumeTrue(Credentials.ofThisProcess().userId() == Credentials.ROOT, "cannot change users");
        Files.createDirectory(TAKEN);
        try (var service = new AttackedService(folder)) {
            service.start(
                    List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"),
                    Map.of("XDG_RUNTIME_DIR", ""));

            var socket = Path.of(service.address().substring("unix:".length()));
            assertTrue(socket.toString().startsWith(TAKEN + "-"), socket.toString());
            var base = Path.of("/").resolve(socket.subpath(0, 2));
            assertEquals(Integer.valueOf(USER), Files.getAttribute(base, "unix:uid"));
            assertEquals(
                    "drwx------",
                    Command.run("stat", "-c", "%A", base.toString()).strip());
        } finally {
            Command.run("sh", "-c", "rm -rf " + TAKEN + "*");
        }
    }
}
