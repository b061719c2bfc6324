// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests hosts in separate namespaces, like containers, with a service of root outside. */
class ContainerTest {

    private static final List<String> OTHER_NAME =
            List.of("unshare", "--uts", "sh", "-c", "hostname container && exec \"$@\"", "sh");

    @TempDir
    private Path folder;

    private AttackedService service;

    @BeforeEach
    void requireRoot() throws IOException {
        assumeTrue(works(OTHER_NAME) && works(inUserNamespace()), "namespaces cannot be created");
        service = new AttackedService(folder);
    }

    private static boolean works(List<String> before) {
        var words = new ArrayList<>(before);
        words.add("true");
        return Command.execute(words).exitCode() == 0;
    }

    /** In the user namespace, the user daemon is mapped to root, and root is not mapped. */
    private static List<String> inUserNamespace() {
        var words = new ArrayList<>(HostProcess.asUser("daemon", "daemon"));
        words.addAll(List.of("unshare", "--user", "--map-root-user"));
        return words;
    }

    @AfterEach
    void close() {
        if (service != null) {
            service.close();
        }
    }

    private HostProcess host(List<String> before, Path services, String... variables) throws IOException {
        var all = new ArrayList<>(List.of(variables));
        all.add("DOCA_UROM_SERVICE_FILE=" + services);
        return new HostProcess(service, folder, before, all.toArray(String[]::new));
    }

    @Test
    void a_world_readable_service_file_serves_containers_with_other_host_names() throws IOException {
        var services = folder.resolve("services");
        service.start(
                List.of(),
                Map.of(),
                "--listen",
                "unix:" + folder.resolve("socket"),
                "--service-file",
                services.toString(),
                "--service-file-host",
                "localhost");

        try (var host = host(OTHER_NAME, services)) {
            assertEquals("= connected", host.answer());
        }
    }

    @Test
    void a_host_in_a_user_namespace_trusts_the_configured_service_user() throws IOException {
        var socket = folder.resolve("socket");
        service.start(List.of(), Map.of(), "--listen", "unix:" + socket, "--allow-namespaces", "true");
        var services = service.serviceFile("services", socket);

        try (var host = host(inUserNamespace(), services)) {
            var answer = host.answer();
            assertTrue(answer.contains("= refused"), answer);
            assertTrue(answer.contains("set JUROM_SERVICE_USER=65534"), answer);
        }
        try (var host = host(inUserNamespace(), services, "JUROM_SERVICE_USER=65534")) {
            assertEquals("= connected", host.answer());
            var started = host.ask("start 5 worker_graph -");
            assertTrue(started.startsWith("= running"), started);
            assertEquals("= value 7", host.ask("loop 7"));
        }
    }
}
