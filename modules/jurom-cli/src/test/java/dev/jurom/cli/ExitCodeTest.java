// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each failure prints one line on standard error and exits with the documented code. */
class ExitCodeTest {

    @TempDir
    private Path folder;

    private static void assertLine(int exitCode, String words, Programs.Printed result) {
        assertEquals(exitCode, result.exitCode(), result::error);
        var lines =
                result.error().lines().filter(line -> line.startsWith("urom: ")).toList();
        assertEquals(1, lines.size(), result::error);
        assertTrue(lines.getFirst().contains(words), result::error);
        assertTrue(result.error().endsWith(lines.getFirst() + "\n"), result::error);
        assertTrue(result.error().lines().noneMatch(line -> line.startsWith("\tat ")), result::error);
    }

    private static Programs.Printed urom(String... words) {
        return Programs.uromFrom(Map.of(), words);
    }

    @Test
    void wrong_arguments() {
        assertLine(
                ExitCode.USAGE,
                "Unknown option: '--colour' (see urom ping --help)",
                Programs.uromHere("ping", "--colour"));
        assertLine(ExitCode.USAGE, "'-1' is not a time from 0 to 24h", Programs.uromHere("ping", "--interval=-1"));
        assertLine(ExitCode.USAGE, "Missing required subcommand", Programs.uromHere("service"));
    }

    @Test
    void no_service() throws IOException {
        var services = folder.resolve("services");
        ServiceFile.of(new ServiceFile.Entry(
                        "localhost", "unix:" + folder.resolve("none"), "0000:00:00.0", List.of("all")))
                .write(services);

        assertLine(
                ExitCode.NO_SERVICE,
                "there is no " + folder.resolve("none"),
                urom("ping", "-n", "1", "--service", services.toString()));
        assertLine(
                ExitCode.NO_SERVICE,
                "No service of this user runs on this machine at",
                urom("workers", "--service", services.toString()));
    }

    @Test
    void a_service_that_was_killed() {
        var daemon = DaemonProgram.listening(folder, Map.of());
        daemon.close();
        var services = folder.resolve("services").toString();

        assertLine(
                ExitCode.NO_SERVICE,
                "nothing listens at " + folder.resolve("socket"),
                urom("ping", "-n", "1", "--service", services));
        assertLine(
                ExitCode.NO_SERVICE, "No service of this user runs", urom("service", "status", "--service", services));
    }

    /** Drops root's permissions on files, since the tests may run as root. */
    private static List<String> asNobodySpecial(List<String> words) throws IOException {
        if ((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") != 0) {
            return words;
        }
        var all = new ArrayList<>(List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search"));
        all.addAll(words);
        return all;
    }

    @Test
    void no_permission() throws IOException {
        var none = PosixFilePermissions.fromString("---------");
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            Files.setPosixFilePermissions(folder.resolve("socket"), none);
            var services = folder.resolve("services");

            assertLine(
                    ExitCode.NOT_PERMITTED,
                    "this user may not connect to " + folder.resolve("socket"),
                    Programs.run(
                            Map.of(),
                            asNobodySpecial(Programs.uromWords("ping", "-n", "1", "--service", services.toString()))));
            Files.setPosixFilePermissions(services, none);
            assertLine(
                    ExitCode.NOT_PERMITTED,
                    services + " cannot be read: permission denied",
                    Programs.run(
                            Map.of(),
                            asNobodySpecial(Programs.uromWords("service", "file", "check", services.toString()))));
        }
    }

    @Test
    void a_full_disk() {
        var disk = folder.resolve("disk");
        assertLine(ExitCode.FILE, "No space left on device", urom("ping", "-n", "1", "--svg", "/dev/full"));
        assertLine(ExitCode.FILE, "No space left on device", urom("ping", "-n", "1", "--raw", "/dev/full"));
        assertLine(
                ExitCode.FILE,
                "standard output cannot be written",
                onDisk(disk, "exec \"$@\" >/dev/full", Programs.uromWords("devices")));
        assertLine(
                ExitCode.FILE,
                "No space left on device",
                onDisk(
                        disk,
                        "exec \"$@\"",
                        Programs.uromWords("key", "create", disk.resolve("key").toString(), "--name", "me")));
        assertLine(
                ExitCode.FILE,
                "The software DOCA could not be unpacked",
                onDisk(disk, "XDG_CACHE_HOME=" + disk + " exec \"$@\"", Programs.uromWords("devices")));
    }

    /** Runs a command in its own mount namespace, with a small disk that is full. */
    private static Programs.Printed onDisk(Path disk, String command, List<String> words) {
        assumeTrue(
                Command.execute(List.of("unshare", "-rm", "true")).exitCode() == 0,
                "this machine gives no user namespace for a full disk");
        var all = new ArrayList<>(List.of(
                "unshare",
                "-rm",
                "sh",
                "-c",
                "mkdir -p " + disk
                        + " && mount -t tmpfs -o size=4k tmpfs " + disk + " && head -c 8192 /dev/zero"
                        + " >" + disk + "/filler 2>/dev/null; " + command,
                "sh"));
        all.addAll(words);
        return Programs.run(Map.of(), all);
    }

    @Test
    void a_missing_or_malformed_service_file() throws IOException {
        var missing = folder.resolve("missing").toString();
        var garbage = Files.write(folder.resolve("garbage"), new byte[] {(byte) 0xff, 1, 2})
                .toString();

        for (var command : List.of("ping", "workers", "service file check")) {
            for (var file : List.of(missing, garbage)) {
                var words = new ArrayList<>(List.of(command.split(" ")));
                words.addAll(command.endsWith("check") ? List.of(file) : List.of("--service", file));
                assertLine(
                        ExitCode.FILE,
                        "The service file " + file + " cannot be read: "
                                + (file.equals(missing) ? "there is no such file" : "it is not UTF-8 text"),
                        Programs.uromHere(words.toArray(String[]::new)));
            }
        }
    }

    @Test
    void a_limit_of_the_service() {
        try (var daemon = DaemonProgram.listening(folder, Map.of(), "--max-workers", "1")) {
            var services = folder.resolve("services").toString();
            var limit = "The service runs 1 workers, its limit";
            daemon.visit(UromService.DEFAULT_MAX_MESSAGE_SIZE, (engine, service) -> {
                try (var worker = UromWorker.create(engine, service).setPlugins(GraphPlugin.find(service))) {
                    worker.startAndWait(Waiting.DEADLINE);

                    assertLine(ExitCode.FOUND_WRONG, limit, urom("ping", "--service", services));
                    var doctor = urom("doctor", "--service", services);
                    assertEquals(ExitCode.FOUND_WRONG, doctor.exitCode(), doctor::output);
                    assertTrue(
                            doctor.output()
                                    .lines()
                                    .anyMatch(line -> line.startsWith("fail  command ") && line.contains(limit)),
                            doctor::output);
                }
            });
        }
    }

    @Test
    void a_service_without_room_for_the_socket_of_a_worker() {
        var services = folder.resolve("services").toString();
        var daemon = new ArrayList<>(Programs.daemonWords(
                "--listen", "unix:" + folder.resolve("socket"), "--service-file", services, "--allow-root"));
        var ping = String.join(" ", Programs.uromWords("ping", "-n", "1", "--service", services));
        var out = folder.resolve("out");
        var script = """
                mount -t tmpfs -o nr_inodes=40,mode=0755 tmpfs /run || exit 99
                "$@" >%1$s 2>&1 &
                until grep -q 'urom service listening' %1$s; do
                    kill -0 $! || exit 98
                    sleep 0.1
                done
                number=0
                while touch /run/$number 2>/dev/null; do number=$((number + 1)); done
                %2$s
                code=$?
                kill $!
                exit $code
                """.formatted(out, ping);
        var all = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", script, "sh"));
        all.addAll(daemon);
        assumeTrue(
                Command.execute(List.of("unshare", "-rm", "true")).exitCode() == 0,
                "this machine gives no user namespace for a full disk");

        assertLine(ExitCode.FILE, "could not be created: No space left on device", Programs.run(Map.of(), all));
    }

    /**
     * Compiles a worker program that cannot change its capabilities, as under a system call filter.
     */
    private String withoutCapset() throws IOException {
        var source = Files.writeString(folder.resolve("filtered.c"), """
                #include <errno.h>
                #include <linux/filter.h>
                #include <linux/seccomp.h>
                #include <stddef.h>
                #include <sys/prctl.h>
                #include <sys/syscall.h>
                #include <unistd.h>

                int main(int count, char **words)
                {
                    struct sock_filter steps[] = {
                        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_capset, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                    };
                    struct sock_fprog filter = { 4, steps };

                    (void)count;
                    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
                            || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
                        return 99;
                    words[0] = "%1$s";
                    return execv(words[0], words);
                }
                """.formatted(
                        DaemonConfiguration.usual().workers().program()));
        var program = folder.resolve("filtered").toString();
        Command.run("cc", "-o", program, source.toString());
        return program;
    }

    @Test
    void a_worker_that_cannot_drop_its_capabilities() throws IOException {
        try (var daemon = DaemonProgram.listening(folder, Map.of(), "--worker", withoutCapset())) {
            var services = folder.resolve("services").toString();
            var reason = "its capabilities could not be dropped";

            assertLine(ExitCode.NOT_PERMITTED, reason, urom("ping", "-n", "1", "--service", services));

            var doctor = urom("doctor", "--service", services);
            assertEquals(ExitCode.FOUND_WRONG, doctor.exitCode(), doctor::output);
            assertTrue(doctor.output().contains(reason), doctor::output);
        }
    }

    @Test
    void a_service_that_ends_meanwhile() throws IOException {
        var services = folder.resolve("services").toString();
        var error = folder.resolve("error").toFile();
        var output = folder.resolve("output").toFile();
        var daemon = DaemonProgram.listening(folder, Map.of());
        var words = Programs.uromWords("ping", "--interval", "0.1", "--service", services);
        var program = new ProcessBuilder(words)
                .redirectError(error)
                .redirectOutput(output)
                .start();
        try {
            Waiting.until("a command is answered", () -> output.length() > 0);
            daemon.close();
            Waiting.until("ping has ended", () -> !program.isAlive());
            assertEquals(ExitCode.LOST, program.exitValue(), Files.readString(error.toPath()));
        } finally {
            program.destroyForcibly();
            daemon.close();
        }
    }

    @Test
    void debug_prints_the_stack_trace_of_a_failure() {
        var result = urom("ping", "--debug", "--service", "/no/such/file");

        assertEquals(ExitCode.FILE, result.exitCode(), result::error);
        assertTrue(result.error().lines().anyMatch(line -> line.startsWith("\tat ")), result::error);
    }
}
