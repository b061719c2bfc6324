// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.plugins.PluginCatalogTest;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a group of a directory service that lists the groups of an account but not all members of a group. */
class GroupMembershipTest {

    private static final Account DAEMON = Account.named("daemon").orElseThrow();
    private static final Account GAMES = Account.named("games").orElseThrow();
    private static final int GROUP = 54_321;

    /** An NSS module with a group that lists 20,000 members but omits its member games. */
    private static final String SOURCE = """
            #include <grp.h>
            #include <nss.h>
            #include <string.h>
            #define MEMBERS 20000
            enum nss_status _nss_hesiod_getgrnam_r(const char *name, struct group *group,
                    char *buffer, size_t size, int *error)
            {
                static char *members[MEMBERS + 1];
                (void)buffer; (void)size; (void)error;
                if (strcmp(name, "jurom-directory") != 0)
                    return NSS_STATUS_NOTFOUND;
                for (int i = 0; i < MEMBERS; ++i)
                    members[i] = "somebody";
                *group = (struct group){ "jurom-directory", "x", 54321, members };
                return NSS_STATUS_SUCCESS;
            }
            enum nss_status _nss_hesiod_initgroups_dyn(const char *user, gid_t skipped, long *count,
                    long *size, gid_t **groups, long limit, int *error)
            {
                (void)skipped; (void)limit; (void)error;
                if (strcmp(user, "games") == 0 && *count < *size)
                    (*groups)[(*count)++] = 54321;
                return NSS_STATUS_SUCCESS;
            }
            """;

    @TempDir
    private Path folder;

    private Path replaced;

    @BeforeEach
    void requireSource() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        assumeTrue(ForeignHost.isPossible(), "there is no setpriv, or no perl");
        assumeTrue(
                Command.execute(List.of("unshare", "--mount", "true")).exitCode() == 0,
                "mount namespaces cannot be created");
        replaced =
                Path.of(Command.run("cc", "-print-file-name=libnss_hesiod.so.2").strip());
        assumeTrue(replaced.isAbsolute(), "no NSS module to replace");
    }

    /** Returns the command prefix that runs a program with the files and this NSS module as the only sources. */
    private List<String> withSource() throws IOException {
        var module = PluginCatalogTest.library(folder.resolve("module.so"), SOURCE);
        var sources = Files.writeString(folder.resolve("nsswitch.conf"), "passwd: files\ngroup: files hesiod\n");
        Files.setPosixFilePermissions(module, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(sources, PosixFilePermissions.fromString("rw-r--r--"));
        return List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount --bind " + module + " " + replaced + " && mount --bind " + sources
                        + " /etc/nsswitch.conf && exec \"$@\"",
                "sh");
    }

    @Test
    void a_user_is_served_and_has_the_group_though_the_list_of_members_lacks_the_user() throws IOException {
        var address = new ListenAddress.Unix(folder.resolve("socket"));
        var prefix = PublicInstallation.in(folder);
        try (var daemon = new DaemonProcess(
                folder,
                withSource(),
                Map.of("UROM_PLUGIN_PATH", prefix.resolve("lib/urom_plugins").toString()),
                "--listen",
                address.toString(),
                "--group",
                "jurom-directory",
                "--worker",
                prefix.resolve("bin/urom_worker").toString())) {
            daemon.address();
            try (var member = new ForeignHost(GAMES.userId(), address);
                    var other = new ForeignHost(DAEMON.userId(), address)) {
                member.welcome();
                member.send(Frame.Spawn.of(1, 5, 1));
                var worker =
                        assertInstanceOf(Frame.Spawned.class, member.receive()).processId();

                var status = Files.readString(Path.of("/proc/" + worker + "/status"));
                assertTrue(status.matches("(?s).*\nGroups:\t[^\n]*\\b" + GROUP + "\\b.*"), status);
                var refusal = assertInstanceOf(Frame.Failure.class, other.receive());
                assertTrue(refusal.text().contains("is not in the group"), refusal.text());
            }
        }
    }
}
