// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.HostOnlyProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests programs with an embedded service in the file systems of pods: volumes to which other users can write, and
 * homes that belong to another user.
 */
class PodTest {

    private static final String EMPTY_DIR = "mount -t tmpfs -o mode=0777 emptydir /tmp";
    private static final String SHARED_MEMORY = "mount -t tmpfs -o mode=1777,noexec shm /dev/shm";
    private static final String OWN_VAR_TMP = "mount -t tmpfs -o mode=1777 tmp /var/tmp";
    private static final String OPEN_VAR_TMP = "mount -t tmpfs -o mode=0777 tmp /var/tmp";
    private static final String VOLUME = "mount -t tmpfs -o mode=2775,gid=2000 volume /mnt";
    private static final String HOME = "mount -t tmpfs -o mode=0770,uid=1001,gid=0 home /mnt";

    @BeforeAll
    static void requireNamespaces() {
        assumeTrue(isPossible("unshare", "--mount", "true"), "cannot create mount namespaces");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assumeTrue(
                isPossible(
                        "setpriv",
                        "--reuid=4243",
                        "--clear-groups",
                        "test",
                        "-x",
                        java,
                        "-a",
                        "-r",
                        Command.SERVICE.toString()),
                "other users cannot read the classes");
    }

    private static boolean isPossible(String... words) {
        return Command.execute(List.of(words)).exitCode() == 0;
    }

    /** Runs the program as a user with these mounts, and with options of {@code env} and the JVM. */
    private static Command.Result run(String user, String groups, List<String> mounts, String... options) {
        return run(List.of(), user, groups, mounts, options);
    }

    /** Does the same with words between the change of the user and the program. */
    private static Command.Result run(
            List<String> before, String user, String groups, List<String> mounts, String... options) {
        var words = new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private", "sh", "-c"));
        words.add(String.join(" && ", mounts)
                + " && \"$@\"; status=$?; ls -A /tmp | sed 's/^/left in tmp: /'; exit $status");
        words.addAll(List.of("sh", "setpriv", "--reuid=" + user, "--regid=0", groups, "env", "-i"));
        List.of(options).stream().filter(it -> !it.startsWith("-")).forEach(words::add);
        words.addAll(before);
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        List.of(options).stream().filter(it -> it.startsWith("-")).forEach(words::add);
        words.addAll(List.of(
                ForkedJvm.NATIVE_ACCESS,
                "-XX:-UsePerfData",
                "-Djurom.runtime=software",
                "-Djurom.source=" + Command.ROOT,
                "--class-path",
                Command.CLASS_PATH + ":" + Command.FIXTURES,
                HostOnlyProgram.class.getName()));
        return Command.execute(words);
    }

    private static void assertWorks(Command.Result result) {
        assertEquals(0, result.exitCode(), result.output());
        assertEquals("42", result.output().strip()); // nothing is left in the volume at /tmp
    }

    @Test
    void a_volume_as_temporary_folder_and_the_home_of_another_user_are_avoided() {
        assertWorks(run(
                "4243",
                "--clear-groups",
                List.of(EMPTY_DIR, SHARED_MEMORY, OWN_VAR_TMP, HOME),
                "HOME=/mnt",
                "-Duser.home=/mnt"));
    }

    @Test
    void a_volume_of_a_group_is_avoided() {
        assertWorks(run(
                "4243",
                "--groups=2000",
                List.of(EMPTY_DIR, SHARED_MEMORY, OWN_VAR_TMP, VOLUME),
                "HOME=/mnt",
                "XDG_CACHE_HOME=/mnt",
                "XDG_RUNTIME_DIR=/mnt",
                "-Duser.home=/mnt"));
    }

    @Test
    void without_a_safe_folder_for_native_files_the_error_names_the_property_and_each_folder() {
        var result = run(
                "4243", "--clear-groups", List.of(EMPTY_DIR, SHARED_MEMORY, OPEN_VAR_TMP, HOME), "-Duser.home=/mnt");

        assertNotEquals(0, result.exitCode());
        for (var words : List.of(
                "set jurom.cache.path",
                "others can write to /tmp",
                "others can write to /var/tmp",
                "/dev/shm/jurom-cache-4243 is on a file system that executes no programs")) {
            assertTrue(result.output().contains(words), result.output());
        }
        assertTrue(!result.output().contains("chmod"), result.output());
    }

    @Test
    void without_a_safe_folder_for_sockets_the_error_names_the_variable() {
        var result = run(
                "4243",
                "--clear-groups",
                List.of(
                        EMPTY_DIR,
                        "mount -t tmpfs -o mode=0777 shm /dev/shm",
                        OPEN_VAR_TMP,
                        "mount -t tmpfs -o mode=1777 cache /mnt"),
                "-Djurom.cache.path=/mnt/cache");

        assertNotEquals(0, result.exitCode());
        assertTrue(result.output().contains("others can write to /tmp"), result.output());
        assertTrue(result.output().contains("set XDG_RUNTIME_DIR"), result.output());
    }

    @Test
    void a_cache_that_executes_no_programs_is_named_with_the_property() {
        var result = run(
                "4243",
                "--clear-groups",
                List.of("mount -t tmpfs -o mode=1777,noexec cache /mnt"),
                "-Djurom.cache.path=/mnt/cache");

        assertNotEquals(0, result.exitCode());
        assertTrue(
                result.output().contains("/mnt/cache is on a file system that executes no programs"), result.output());
        assertTrue(result.output().contains("jurom.cache.path"), result.output());
    }

    @Test
    void user_65534_is_an_ordinary_user() {
        assertWorks(run(
                "65534", "--clear-groups", List.of(EMPTY_DIR, SHARED_MEMORY, OWN_VAR_TMP, HOME), "-Duser.home=/mnt"));
    }

    /** In these namespaces, the number of the program's user also stands for all other users. */
    @Test
    void user_65534_may_stand_for_several_users() {
        for (var namespace : List.of("--user", "--map-user=65534")) {
            assertWorks(run(
                    List.of("unshare", "--user", namespace),
                    "4243",
                    "--clear-groups",
                    List.of(EMPTY_DIR, SHARED_MEMORY, OWN_VAR_TMP),
                    "-Duser.home=/mnt"));
        }
    }

    @Test
    void a_service_of_user_65534_serves_no_process_that_may_be_another_users(@TempDir Path folder) throws IOException {
        var socket = folder.resolve("socket");
        try (var service = new AttackedService(folder)) {
            service.start(
                    List.of("unshare", "--user", "--map-user=65534"),
                    Map.of("XDG_RUNTIME_DIR", folder.toString()),
                    "--listen",
                    "unix:" + socket);
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
            var services = service.serviceFile("services", socket);

            try (var host = new HostProcess(
                    service,
                    folder,
                    HostProcess.asUser("daemon", "daemon"),
                    "DOCA_UROM_SERVICE_FILE=" + services,
                    "JUROM_SERVICE_USER=0")) {
                var answer = host.answer();
                assertTrue(answer.contains("cannot identify the user of this process"), answer);
            }
        }
    }
}
