// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of the hosts that a service knows. */
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
        return AuthorizedHosts.read(keys.file("hosts"), Credentials.ofThisProcess(),
                new LocalUsers(own, new DaemonConfiguration.Users(all,
                        Optional.empty())));
    }

    private void assertRefused(String words, String... lines) {
        keys.authorize(lines);
        var thrown = assertThrows(DaemonException.class, () -> read(ROOT, true));
        assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(keys.file("hosts").toString()),
                thrown.getMessage());
    }

    @Test
    void it_has_an_account_for_each_certificate() {
        keys.authorize("# the hosts", "", "account: daemon", first, "  account:games  ",
                "# a comment between", second);

        assertEquals(2, read(ROOT, true).size());
    }

    @Test
    void it_may_have_nobody() {
        keys.authorize("# nobody yet");

        assertEquals(0, read(ROOT, true).size());
    }

    @Test
    void what_is_wrong_is_said_with_its_line() {
        assertRefused("line 1: before each certificate", first);
        assertRefused("before each certificate", "account: daemon", first, second);
        assertRefused("line 2: \"acount: daemon\" is neither", "# x", "acount: daemon", first);
        assertRefused("no account \"nobody-of-that-name\"", "account: nobody-of-that-name", first);
        assertRefused("never run as \"root\"", "account: root", first);
        assertRefused("has no end", "account: daemon", "-----BEGIN CERTIFICATE-----", "AAAA");
        assertRefused("no certificate", "account: daemon", "-----BEGIN CERTIFICATE-----", "AAAA",
                "-----END CERTIFICATE-----");
        assertRefused("Base64", "account: daemon", "-----BEGIN CERTIFICATE-----", "!",
                "-----END CERTIFICATE-----");
        assertRefused("a PRIVATE KEY does not belong here", "account: daemon",
                "-----BEGIN PRIVATE KEY-----", "AAAA", "-----END PRIVATE KEY-----");
    }

    @Test
    void a_service_that_may_not_change_users_has_hosts_of_its_own_user_alone() {
        keys.authorize("account: daemon", first);
        var daemon = Account.named("daemon").orElseThrow();

        assertEquals(1, read(new Credentials(daemon.userId(), daemon.groupId(), false), false)
                .size());
        assertThrows(DaemonException.class, () -> read(new Credentials(4242, 4242, false), false));
    }
}
