// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a host and a worker hold at a moment.
 *
 * @param heap bytes in use on the host's Java heap, after a collection
 * @param hostMemory resident bytes of the host
 * @param hostDescriptors open file descriptors of the host
 * @param workerMemory resident bytes of the worker
 * @param workerDescriptors open file descriptors of the worker
 */
record Footprint(long heap, long hostMemory, long hostDescriptors, long workerMemory,
        long workerDescriptors) {

    /** Collects garbage and reads what this process and a worker on this machine hold. */
    static Footprint of(long worker) throws IOException {
        System.gc();
        var runtime = Runtime.getRuntime();
        var heap = runtime.totalMemory() - runtime.freeMemory();
        var host = ProcessHandle.current().pid();
        return new Footprint(heap, ProcessUsage.residentBytes(host), descriptors(host),
                ProcessUsage.residentBytes(worker), descriptors(worker));
    }

    private static long descriptors(long process) throws IOException {
        try (var open = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
            return open.count();
        }
    }
}
