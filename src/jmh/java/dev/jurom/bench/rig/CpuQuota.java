// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A control group that limits the CPU time of processes, as if their core was slower. Only root can create it. */
final class CpuQuota implements AutoCloseable {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final long PERIOD = 2500; // microseconds: shorter than a block takes

    private final Path parent;
    private final Path folder;

    /** Creates the group of processes that have this share of a core together. */
    CpuQuota(double share) throws IOException {
        var isFirstVersion = Files.isDirectory(ROOT.resolve("cpu"));
        var quota = Math.round(share * PERIOD);
        parent = isFirstVersion ? ROOT.resolve("cpu") : ROOT;
        folder = Files.createDirectory(
                parent.resolve("jurom-bench-" + ProcessHandle.current().pid()));
        if (isFirstVersion) {
            Files.writeString(folder.resolve("cpu.cfs_period_us"), Long.toString(PERIOD));
            Files.writeString(folder.resolve("cpu.cfs_quota_us"), Long.toString(quota));
        } else {
            Files.writeString(folder.resolve("cpu.max"), quota + " " + PERIOD);
        }
    }

    /** Moves a process into the group. */
    void add(long process) throws IOException {
        Files.writeString(processes(folder), Long.toString(process));
    }

    private static Path processes(Path group) {
        return group.resolve("cgroup.procs");
    }

    @Override
    public void close() throws IOException {
        for (var process : Files.readAllLines(processes(folder))) {
            Files.writeString(processes(parent), process);
        }
        Files.delete(folder);
    }
}
