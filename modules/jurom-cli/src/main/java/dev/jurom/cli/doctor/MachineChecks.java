// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import dev.jurom.Urom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks the machine and the JVM. */
final class MachineChecks {

    private static final int OLDEST_JDK = 22;
    private static final long MIB = 1 << 20;
    private static final long LEAST_SHARED_MEMORY = 64 * MIB; // required by UCX's posix transport
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private MachineChecks() {}

    static void run(Findings findings) {
        findings.check("JDK", () -> jdk(Runtime.version().feature()));
        findings.check("native access", MachineChecks::nativeAccess);
        findings.check("shared memory", () -> sharedMemory(SHARED_MEMORY));
        findings.check("cores", () -> cores(Runtime.getRuntime().availableProcessors()));
    }

    static Finding jdk(int feature) {
        var what = Runtime.version() + " (" + System.getProperty("java.vendor") + ") in "
                + System.getProperty("java.home");
        return feature >= OLDEST_JDK
                ? Finding.pass("JDK", what)
                : Finding.fail("JDK", what, "install JDK " + OLDEST_JDK + " or later, and set JAVA_HOME to its folder");
    }

    private static Finding nativeAccess() {
        var module = Urom.class.getModule();
        var name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        return module.isNativeAccessEnabled()
                ? Finding.pass("native access", "is enabled for " + name)
                : Finding.warn(
                        "native access",
                        "is not enabled for " + name + ": the JDK prints a warning",
                        "java --enable-native-access=" + name + " ...");
    }

    static Finding sharedMemory(Path directory) throws IOException {
        if (!Files.isWritable(directory)) {
            return Finding.warn(
                    "shared memory",
                    directory + " cannot be written to: plugins that use UCX do without",
                    "mount -t tmpfs -o mode=1777 tmpfs " + directory);
        }
        var store = Files.getFileStore(directory);
        return sharedMemory(directory, store.getUsableSpace(), store.getTotalSpace());
    }

    static Finding sharedMemory(Path directory, long free, long size) {
        var what = "%s has %d of %d MiB free".formatted(directory, free / MIB, size / MIB);
        if (size < LEAST_SHARED_MEMORY) {
            return Finding.warn(
                    "shared memory",
                    what + ": plugins that use UCX use that of System V instead",
                    "mount -o remount,size=" + LEAST_SHARED_MEMORY / MIB + "M " + directory
                            + " (docker run --shm-size)");
        }
        return free >= LEAST_SHARED_MEMORY
                ? Finding.pass("shared memory", what)
                : Finding.warn(
                        "shared memory",
                        what + ": plugins that use UCX may not open",
                        "remove files from it (ls -lS " + directory + " shows their owners)");
    }

    static Finding cores(int count) {
        return count > 1
                ? Finding.pass("cores", count + " for this process")
                : Finding.warn(
                        "cores",
                        "one for this process: host and worker run alternately, and a"
                                + " command takes a hundred times as long",
                        "allow this process more (taskset, cgroup, docker run --cpus)");
    }
}
