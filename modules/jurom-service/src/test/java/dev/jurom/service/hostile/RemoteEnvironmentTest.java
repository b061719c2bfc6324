// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the environment variables that remote hosts may set for their workers. */
class RemoteEnvironmentTest {

    private static final int DAEMON = 1;

    /** One name for each entry of the list of variables that control loaders, interpreters and libraries. */
    private static final List<String> DANGEROUS = List.of(
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "LD_AUDIT",
            "GLIBC_TUNABLES",
            "GCONV_PATH",
            "LOCPATH",
            "NLSPATH",
            "MALLOC_CHECK_",
            "MALLOC_TRACE",
            "HOSTALIASES",
            "LOCALDOMAIN",
            "RES_OPTIONS",
            "RESOLV_HOST_CONF",
            "NIS_PATH",
            "GETCONF_DIR",
            "TMPDIR",
            "TZDIR",
            "IFS",
            "CDPATH",
            "ENV",
            "BASH_ENV",
            "BASH_FUNC_ls%%",
            "PS4",
            "SHELLOPTS",
            "PERL5LIB",
            "PERLLIB",
            "PYTHONPATH",
            "PYTHONHOME",
            "RUBYLIB",
            "RUBYOPT",
            "KRB5_CONFIG",
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "JDK_AOT_VM_OPTIONS",
            "JAVA_HOME",
            "CLASSPATH",
            "JUROM_LINKED_PLUGINS",
            "XDG_CONFIG_HOME",
            "NODE_OPTIONS",
            "OPENSSL_CONF",
            "OPENSSL_ENGINES",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "CTLOG_FILE",
            "SSLKEYLOGFILE",
            "UCX_TLS",
            "UCX_GDB_COMMAND",
            "ASAN_OPTIONS",
            "UBSAN_OPTIONS",
            "OMP_TOOL_LIBRARIES",
            "CUDA_INJECTION64_PATH");
    /** Variables with a harmless name but a dangerous value, and variables that are not allowed. */
    private static final List<String> NOT_ALLOWED = List.of(
            "LANG=../evil",
            "LC_ALL=%n",
            "TZ=:/etc/shadow",
            "PATH=/tmp",
            "HOME=/tmp",
            "USER=root",
            "LOGNAME=root",
            "SHELL=/tmp/sh",
            "JOBS=1",
            "LC_=C");

    @TempDir
    private static Path folder;

    private static AttackedService service;
    private static HostProcess host;

    @BeforeAll
    static void open() throws IOException {
        var root = Command.execute(List.of(
                                "sh",
                                "-c",
                                "[ $(id -u) = 0 ] && setpriv --reuid daemon" + " --regid daemon --init-groups -- true"))
                        .exitCode()
                == 0;
        if (!root) {
            System.out.println("Skipped: the attacks with variables, as this user is not root.");
        }
        assumeTrue(root, "not root");
        service = new AttackedService(folder);
        var key = folder.resolve("host.key");
        var certificate = create(folder.resolve("service.key"));
        Files.writeString(folder.resolve("hosts"), "account: daemon\n" + create(key));
        Files.writeString(key, certificate, StandardOpenOption.APPEND);
        start(service, "JOB,GREETING");
        var place = service.address();
        host = new HostProcess(
                service,
                folder,
                List.of(),
                "DOCA_UROM_KEY_FILE=" + key,
                "DOCA_UROM_SERVICE_FILE=" + service.serviceFile("services", place));
        var answer = host.answer();
        assertTrue(answer.endsWith("= connected"), () -> answer + service.output());
    }

    private static void start(AttackedService service, String allowed) throws IOException {
        service.start(
                List.of(),
                Map.of("LD_BIND_NOW", "1", "SECRET_OF_THE_SERVICE", "1"),
                "--listen",
                "127.0.0.1:0",
                "--key",
                folder.resolve("service.key").toString(),
                "--authorized-hosts",
                folder.resolve("hosts").toString(),
                "--allow-env",
                allowed);
    }

    private static String create(Path file) throws IOException {
        return KeyPairFile.create(file, file.getFileName().toString());
    }

    @AfterAll
    static void close() {
        if (host != null) {
            host.close();
        }
        if (service != null) {
            service.close();
        }
    }

    @Test
    void dangerous_and_disallowed_variables_are_rejected_with_an_error() {
        Stream.concat(DANGEROUS.stream().map(name -> name + "=x"), NOT_ALLOWED.stream())
                .forEach(variable -> {
                    var answer = host.ask("start 5 worker_graph - JOB=1 " + variable);
                    assertTrue(answer.contains("= refused"), variable + ": " + answer);
                });
        assertTrue( // the log has the first of these lines, and their number
                service.output()
                        .contains("The environment variable " + DANGEROUS.getFirst()
                                + " of a host that connected over TCP is refused: "),
                service.output());
        assertEquals(List.of(), service.workers(DAEMON));
    }

    @Test
    void allowed_variables_arrive_without_those_of_the_service() throws IOException {
        var answer = host.ask("start 6 worker_graph - JOB=7 GREETING=a=b LANG=C TZ=UTC" + " LC_ALL=C.UTF-8");
        assertTrue(answer.endsWith("us"), answer);
        var environment = List.of(Files.readString(
                        Path.of("/proc/" + service.workers(DAEMON).getFirst().pid() + "/environ"))
                .split("\0"));

        assertTrue(
                environment.containsAll(
                        List.of("JOB=7", "GREETING=a=b", "LANG=C", "TZ=UTC", "LC_ALL=C.UTF-8", "USER=daemon")),
                environment::toString);
        assertTrue(
                environment.stream().noneMatch(v -> v.startsWith("LD_") || v.startsWith("SECRET")),
                environment::toString);
        assertEquals("= stopped", host.ask("stop"));
    }

    /** The service does not start if a dangerous variable is allowed by mistake. */
    @Test
    void dangerous_variables_cannot_be_allowed() {
        for (var name : List.of("LD_PRELOAD", "UCX_TLS", "PYTHONPATH", "CLASSPATH", "JDK_AOT_VM_OPTIONS")) {
            assertCannotBeAllowed(name, "with it, a host could run any program");
        }
        for (var name : List.of("PATH", "HOME", "USER", "LOGNAME", "SHELL")) {
            assertCannotBeAllowed(name, "the service sets it for the account of the worker");
        }
    }

    private static void assertCannotBeAllowed(String name, String reason) {
        var error = assertThrows(AssertionError.class, () -> {
            try (var other = new Started("JOB," + name)) {
                assertEquals("", other.service.output());
            }
        });
        var expected = "The environment variable " + name + " cannot be allowed: " + reason;
        assertTrue(error.getMessage().contains(expected), error.getMessage());
    }

    /** Another service from the same copy. */
    private static final class Started implements AutoCloseable {
        private final AttackedService service;

        private Started(String allowed) throws IOException {
            service = new AttackedService(Files.createTempDirectory(folder, "other"));
            try {
                start(service, allowed);
            } catch (AssertionError e) {
                service.close();
                throw e;
            }
        }

        @Override
        public void close() {
            service.close();
        }
    }
}
