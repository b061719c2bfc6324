// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.LogLevel;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.identity.Confinement;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RemoteHost;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.plugins.LibraryPath;
import dev.jurom.service.plugins.PluginGrant;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.settings.WorkerSettings;
import dev.jurom.service.wire.Bytes;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which variables are in the environment of a worker. */
class WorkerEnvironmentTest {

    private static final int OWN = 1000;
    private static final Account ALICE = new Account("alice", OWN, OWN, "/home/alice", "/bin/zsh");
    private static final Account BOB = new Account("bob", 1001, 1001, "/home/bob", "/bin/sh");
    private static final Map<String, String> DAEMON = Map.of(
            "LANG",
            "de_DE.UTF-8",
            "TZ",
            "UTC",
            "LC_ALL",
            "C",
            "UCX_NET_DEVICES",
            "lo",
            "ASAN_OPTIONS",
            "a=b",
            "LD_PRELOAD",
            "/x.so",
            "SECRET",
            "s",
            "HOME",
            "/home/alice",
            "LD_LIBRARY_PATH",
            "/unchecked");
    private static final ServiceLog LOG = ServiceLog.toSystemLogger(LogLevel.CRITICAL);

    private static Peer local(Account account) {
        return new Peer(account.userId(), Optional.of(account), Optional.empty(), Confinement.UNKNOWN, account.name());
    }

    private static Peer remote(Account account) {
        return new Peer(
                account.userId(),
                Optional.of(account),
                Optional.of(new RemoteHost(Bytes.of((byte) 1), new InetSocketAddress(1), PluginGrant.WITHOUT_UCX)),
                Confinement.UNKNOWN,
                account.name());
    }

    private static LibraryPath libraries(String value) {
        var libraries = new LibraryPath(
                value, new TrustedPath(Credentials.ofThisProcess().userId(), false), LOG);
        libraries.check();
        return libraries;
    }

    private static WorkerEnvironment environment(String... allowed) {
        return environment(WorkerSettings.of(Path.of("/w")), allowed);
    }

    private static WorkerEnvironment environment(WorkerSettings settings, String... allowed) {
        var access = RemoteAccess.of(Path.of("/k"), Path.of("/h")).withAllowedVariables(Set.of(allowed));
        return new WorkerEnvironment(
                DAEMON,
                new Credentials(OWN, OWN, true),
                DaemonConfiguration.builder(Path.of("/w"), List.of())
                        .workers(settings)
                        .remote(access)
                        .build(),
                libraries(null));
    }

    @Test
    void a_worker_of_the_services_user_has_its_account_and_the_variables_of_the_daemon() throws RequestRefused {
        assertEquals(
                List.of(
                        "ASAN_OPTIONS=a=b",
                        "HOME=/home/alice",
                        "LANG=de_DE.UTF-8",
                        "LC_ALL=C",
                        "LOGNAME=alice",
                        "PATH=/usr/local/bin:/usr/bin:/bin",
                        "SHELL=/bin/zsh",
                        "TZ=UTC",
                        "UCX_LOG_LEVEL=fatal",
                        "UCX_NET_DEVICES=lo",
                        "UCX_TLS=posix,cma,self",
                        "UROM_WORKER_LOG_LEVEL=40",
                        "USER=alice"),
                environment().of(local(ALICE), List.of()));
    }

    @Test
    void a_worker_of_another_user_inherits_only_the_language_of_the_daemon() throws RequestRefused {
        assertEquals(
                List.of(
                        "HOME=/home/bob",
                        "LANG=de_DE.UTF-8",
                        "LC_ALL=C",
                        "LOGNAME=bob",
                        "PATH=/usr/local/bin:/usr/bin:/bin",
                        "SHELL=/bin/sh",
                        "TZ=UTC",
                        "UCX_LOG_LEVEL=fatal",
                        "UCX_TLS=posix,cma,self",
                        "UROM_WORKER_LOG_LEVEL=40",
                        "USER=bob"),
                environment().of(local(BOB), List.of()));
        assertFalse(
                environment().of(remote(ALICE), List.of()).stream().anyMatch(variable -> variable.startsWith("ASAN")));
    }

    @Test
    void a_local_host_sets_any_variable() throws RequestRefused {
        var given = environment()
                .of(local(BOB), List.of("LD_PRELOAD=/mine.so", "HOME=/tmp", "UCX_TLS=tcp", "A=b=c", "A=d"));

        assertTrue(
                given.containsAll(List.of("LD_PRELOAD=/mine.so", "HOME=/tmp", "UCX_TLS=tcp", "A=d")), given::toString);
        assertFalse(given.contains("A=b=c"));
    }

    @Test
    void all_workers_find_libraries_in_the_folders_of_the_service() throws RequestRefused {
        var given = new WorkerEnvironment(
                DAEMON,
                new Credentials(OWN, OWN, true),
                DaemonConfiguration.builder(Path.of("/w"), List.of()).build(),
                libraries("/usr"));

        for (var peer : List.of(local(ALICE), local(BOB), remote(BOB))) {
            assertTrue(given.of(peer, List.of()).contains("LD_LIBRARY_PATH=/usr"));
        }
        var mine = "LD_LIBRARY_PATH=/mine";
        assertTrue(given.of(local(BOB), List.of(mine)).contains(mine));
        assertThrows(RequestRefused.class, () -> given.of(remote(BOB), List.of(mine)));
    }

    @Test
    void an_operator_opens_transports_for_all() throws RequestRefused {
        var open = environment(WorkerSettings.of(Path.of("/w")).withPluginTransports("tcp,self"));

        assertTrue(open.of(remote(BOB), List.of()).contains("UCX_TLS=tcp,self"));
        assertTrue(open.of(local(BOB), List.of("UCX_TLS=self")).contains("UCX_TLS=self"));
    }

    @Test
    void an_operator_names_the_devices_of_commands_over_ucx() throws RequestRefused {
        var access = RemoteAccess.of(Path.of("/k"), Path.of("/h")).withUcx();
        var offering = new WorkerEnvironment(
                DAEMON,
                new Credentials(OWN, OWN, true),
                DaemonConfiguration.builder(Path.of("/w"), List.of())
                        .remote(access)
                        .build(),
                libraries(null));

        assertTrue(offering.of(remote(BOB), List.of()).contains("UCX_NET_DEVICES=lo"));
        assertFalse(offering.of(local(BOB), List.of()).contains("UCX_NET_DEVICES=lo"));
        assertFalse(environment().of(remote(BOB), List.of()).contains("UCX_NET_DEVICES=lo"));
    }

    @Test
    void a_remote_host_sets_its_language_and_allowed_variables() throws RequestRefused {
        var given = environment("JOB").of(remote(BOB), List.of("LANG=fr", "LC_TIME=C", "TZ=CET", "JOB=/any/thing%"));

        assertTrue(given.containsAll(List.of("LANG=fr", "LC_TIME=C", "TZ=CET", "JOB=/any/thing%")), given::toString);
    }

    @Test
    void a_remote_host_sets_only_existing_locale_categories() throws RequestRefused {
        var real = List.of(
                "LC_ALL=C",
                "LC_CTYPE=C",
                "LC_NUMERIC=C",
                "LC_TIME=C",
                "LC_COLLATE=C",
                "LC_MONETARY=C",
                "LC_MESSAGES=C",
                "LC_PAPER=C",
                "LC_NAME=C",
                "LC_ADDRESS=C",
                "LC_TELEPHONE=C",
                "LC_MEASUREMENT=C",
                "LC_IDENTIFICATION=C");
        assertTrue(environment().of(remote(BOB), real).containsAll(real));

        for (var other :
                List.of("LC_" + "A".repeat(200_000) + "=C", "LC_X=C", "LC_ALLX=C", "LANG=" + "C".repeat(256))) {
            var refusal = assertThrows(RequestRefused.class, () -> environment().of(remote(BOB), List.of(other)));
            assertTrue(refusal.getMessage().length() < 300, refusal.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JOBS=1",
                "HOME=/",
                "PATH=/x",
                "LANG=/x",
                "TZ=%x",
                "LC_x=C",
                "LD_PRELOAD=x",
                "LD_AUDIT=x",
                "GLIBC_TUNABLES=x",
                "GCONV_PATH=x",
                "LOCPATH=x",
                "NLSPATH=x",
                "MALLOC_TRACE=x",
                "HOSTALIASES=x",
                "LOCALDOMAIN=x",
                "RES_OPTIONS=x",
                "RESOLV_HOST_CONF=x",
                "NIS_PATH=x",
                "GETCONF_DIR=x",
                "TMPDIR=x",
                "TZDIR=x",
                "IFS=x",
                "CDPATH=x",
                "ENV=x",
                "BASH_ENV=x",
                "BASH_FUNC_a%%=x",
                "PS4=x",
                "SHELLOPTS=x",
                "PERL5LIB=x",
                "PYTHONPATH=x",
                "RUBYOPT=x",
                "KRB5_CONFIG=x",
                "JAVA_TOOL_OPTIONS=x",
                "_JAVA_OPTIONS=x",
                "JDK_JAVA_OPTIONS=x",
                "NODE_OPTIONS=x",
                "OPENSSL_CONF=x",
                "SSL_CERT_FILE=x",
                "CTLOG_FILE=x",
                "SSLKEYLOGFILE=x",
                "UCX_GDB_COMMAND=x",
                "ASAN_OPTIONS=x",
                "UBSAN_OPTIONS=x",
                "OMP_TOOL_LIBRARIES=x",
                "CUDA_INJECTION64_PATH=x"
            })
    void a_remote_host_sets_nothing_else(String variable) {
        var refusal = assertThrows(
                RequestRefused.class, () -> environment("JOB").of(remote(BOB), List.of("JOB=1", variable)));

        assertEquals(DocaError.INVALID_VALUE, refusal.error());
        assertTrue(refusal.getMessage().contains(variable.substring(0, variable.indexOf('='))), refusal.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"LD_PRELOAD", "UCX_TLS", "TSAN_OPTIONS", "PYTHONHOME"})
    void an_operator_cannot_allow_variables_that_run_programs(String name) {
        var refusal = assertThrows(DaemonException.class, () -> environment("JOB", name));

        assertTrue(refusal.getMessage().contains(name), refusal.getMessage());
    }

    @Test
    void a_user_without_an_account_has_the_home_of_the_service() throws RequestRefused {
        var nameless = new Peer(OWN, Optional.empty(), Optional.empty(), Confinement.UNKNOWN, "1000");

        var given = environment().of(nameless, List.of());
        assertTrue(given.contains("HOME=/home/alice"), given::toString);
        assertFalse(given.stream().anyMatch(variable -> variable.startsWith("USER=")));
    }
}
