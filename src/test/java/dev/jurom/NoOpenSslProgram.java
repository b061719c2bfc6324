// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.Device;
import dev.jurom.core.ShaAlgorithm;
import dev.jurom.core.ShaContext;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.LibraryLoadException;

/** Calls a worker, and then asks for a hash, where OpenSSL cannot be loaded. */
public final class NoOpenSslProgram {

    private NoOpenSslProgram() {}

    /** Prints the answer of the worker, and the message of the failure. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            System.out.println(worker.call(GraphPlugin.LOOPBACK, 42L));
        }
        try (var device = Device.open()) {
            ShaContext.isHashSupported(device, ShaAlgorithm.SHA256);
        } catch (LibraryLoadException e) {
            System.out.println(e.getMessage());
        }
    }
}
