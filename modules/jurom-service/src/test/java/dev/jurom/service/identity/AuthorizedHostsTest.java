// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.service.TestKeys;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.settings.DaemonConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the file of authorized hosts. */
class AuthorizedHostsTest {

    private static final Credentials ROOT = new Credentials(Credentials.ROOT, 0, true);

    @TempDir
    private Path folder;

    private TestKeys keys;
    private String first;
    private String second;

    @BeforeEach
    void makeKeys() {
        keys = new TestKeys(folder);
        first = keys.create("first");
        second = keys.create("second");
    }

    private AuthorizedHosts read(Credentials own, boolean all) {
        return AuthorizedHosts.read(
                keys.file("hosts"),
                Credentials.ofThisProcess(),
                new LocalUsers(own, all ? DaemonConfiguration.Users.ALL : DaemonConfiguration.Users.OWN));
    }

    private void assertProblem(String words, String... lines) {
        keys.authorize(lines);
        var problem = read(ROOT, true).problems().getFirst();
        assertTrue(problem.contains(words), problem);
        assertTrue(problem.contains(keys.file("hosts").toString()), problem);
    }

    @Test
    void it_has_an_account_for_each_certificate() {
        keys.authorize("# the hosts", "", "account: daemon", first, "  account:games  ", "# a comment between", second);

        assertEquals(2, read(ROOT, true).size());
    }

    @Test
    void it_may_be_empty() {
        keys.authorize("# no hosts");

        assertEquals(0, read(ROOT, true).size());
    }

    @Test
    void problems_are_reported_with_their_lines() {
        assertProblem("line 1: before each certificate", first);
        assertProblem("before each certificate", "account: daemon", first, second);
        assertProblem("entry already, at line 1", "account: daemon", first, "account: games", first);
        assertProblem("entry already, at line 1", "account: daemon", first, "account: daemon plugins=graph", first);
        assertProblem("line 2: \"acount: daemon\" is neither", "# x", "acount: daemon", first);
        assertProblem("no account \"nobody-of-that-name\"", "account: nobody-of-that-name", first);
        assertProblem("never run as \"root\"", "account: root", first);
        assertProblem("has no line", "account: daemon", "-----BEGIN CERTIFICATE-----", "AAAA");
        assertProblem(
                "not a certificate",
                "account: daemon",
                "-----BEGIN CERTIFICATE-----",
                "AAAA",
                "-----END CERTIFICATE-----");
        assertProblem("Base64", "account: daemon", "-----BEGIN CERTIFICATE-----", "!", "-----END CERTIFICATE-----");
        assertProblem(
                "a PRIVATE KEY is not allowed here",
                "account: daemon",
                "-----BEGIN PRIVATE KEY-----",
                "AAAA",
                "-----END PRIVATE KEY-----");
    }

    @Property(tries = 50)
    void an_entry_that_is_wrong_authorises_no_host_and_does_not_affect_others(
            @ForAll @Size(min = 1, max = 6) List<@From("entries") Entry> entries) throws IOException {
        var directory = Files.createTempDirectory("jurom-authorized"); // jqwik has no @TempDir
        try {
            assertWrongEntriesAuthoriseNoHost(new TestKeys(directory), entries);
        } finally {
            Command.run("rm", "-r", directory.toString());
        }
    }

    private static void assertWrongEntriesAuthoriseNoHost(TestKeys made, List<Entry> entries) {
        var lines = new ArrayList<String>();
        for (var entry : entries) {
            var certificate = made.create("host" + lines.size());
            lines.addAll(List.of(entry.text().formatted(certificate).split("\n")));
        }
        made.authorize(lines.toArray(String[]::new));

        var hosts = AuthorizedHosts.read(
                made.file("hosts"), Credentials.ofThisProcess(), new LocalUsers(ROOT, DaemonConfiguration.Users.ALL));

        assertEquals(
                entries.stream().filter(entry -> !entry.isWrong()).count(), hosts.size(), hosts.problems()::toString);
        assertEquals(
                entries.stream().allMatch(entry -> !entry.isWrong()),
                hosts.problems().isEmpty());
    }

    /** An entry. The text of an invalid one is completed with a certificate. */
    record Entry(boolean isWrong, String text) {}

    @Provide
    Arbitrary<Entry> entries() {
        return Arbitraries.of(
                new Entry(false, "account: daemon\n%s"),
                new Entry(true, "%s"),
                new Entry(true, "acount: daemon\n%s"),
                new Entry(true, "account: nobody-here\n%s"),
                new Entry(true, "account: root\n%s"),
                new Entry(false, "account: daemon plugins=graph\n%s"),
                new Entry(false, "account:daemon\tplugins=worker_graph,x,1\n%s"),
                new Entry(true, "account: daemon plugins=\n%s"),
                new Entry(true, "account: daemon plugins=graph, compress\n%s"),
                new Entry(true, "account: daemon plugins=graph,\n%s"),
                new Entry(true, "account: daemon plugins=graph plugins=rdmo\n%s"),
                new Entry(true, "account: daemon plugins = graph\n%s"),
                new Entry(true, "account: daemon Plugins=graph\n%s"),
                new Entry(true, "account: daemon plugin=graph\n%s"),
                new Entry(true, "account: daemon graph\n%s"),
                new Entry(true, "account: plugins=graph\n%s"),
                new Entry(true, "account: root plugins=graph\n%s"),
                new Entry(true, "account: daemon\n-----BEGIN CERTIFICATE-----\nAAAA"),
                new Entry(true, "account: daemon\n-----BEGIN CERTIFICATE-----\n!\n" + "-----END CERTIFICATE-----"));
    }

    @Test
    void a_service_that_cannot_change_users_accepts_only_hosts_of_its_own_user() {
        keys.authorize("account: daemon", first);
        var daemon = Account.named("daemon").orElseThrow();

        assertEquals(
                1,
                read(new Credentials(daemon.userId(), daemon.groupId(), false), false)
                        .size());
        assertTrue(read(new Credentials(4242, 4242, false), false)
                .problems()
                .getFirst()
                .contains("cannot change users"));
    }
}
