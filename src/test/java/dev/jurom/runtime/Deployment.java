// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import dev.jurom.RdmoTarget;
import dev.jurom.RdmoWriter;
import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.Device;
import dev.jurom.core.MemoryMap;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.service.EmbeddedService;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.function.LongUnaryOperator;

/** An application in a separate class loader, as deployed by a container. */
public final class Deployment implements LongUnaryOperator, AutoCloseable {

    private final EmbeddedService service = EmbeddedService.open();
    private final Urom urom = Urom.open();
    private final Worker worker = urom.startWorkerAsync(WorkerConfiguration.of(GraphPlugin.NAME, RdmoPlugin.NAME))
            .join();

    /** Passes a value through a worker, memory written by UCX, and a callback. */
    @Override
    public long applyAsLong(long value) {
        try {
            return freed(written(worker.call(GraphPlugin.LOOPBACK, value)));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private byte written(long value) throws InterruptedException {
        try (var target = RdmoTarget.open(worker, Long.BYTES);
                var writer = RdmoWriter.open()) {
            writer.connect(target.invite(writer.introduction()));
            writer.write(0, new byte[] {(byte) value});
            writer.flush().join();
            return target.memory().get(ValueLayout.JAVA_BYTE, 0);
        }
    }

    private static byte freed(byte value) {
        var seen = new byte[1];
        try (var arena = Arena.ofConfined();
                var device = Device.open()) {
            var memory = arena.allocate(1);
            memory.set(ValueLayout.JAVA_BYTE, 0, value);
            try (var map = MemoryMap.create()) {
                map.addDevice(device)
                        .setRange(memory)
                        .onFree(freed -> seen[0] = freed.get(ValueLayout.JAVA_BYTE, 0))
                        .start();
            }
            return seen[0];
        }
    }

    @Override
    public void close() {
        urom.close();
        service.close();
    }
}
