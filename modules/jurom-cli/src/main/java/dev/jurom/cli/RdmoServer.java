// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerId;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * The side of {@code urom rdmo} whose memory is written to. While the client writes, it only waits:
 * its worker does the work.
 */
record RdmoServer(OutOfBandExchange exchange, RdmoScript script, ServiceOption service,
        Duration timeout) {

    private static final long CLIENT_ID = 1;

    void run(PrintStream out) {
        // The worker, which writes to the memory, is closed before that.
        try (var chosen = service.open(out);
                var engine = ProgressEngine.create();
                var device = Device.open();
                var running = service.start(engine, device, 1);
                var memory = HostMemory.open();
                var arena = Arena.ofConfined();
                var region = memory.share(arena.allocate(script.size(), Long.BYTES));
                var worker = startWorker(running)) {
            var rdmo = RdmoPlugin.on(worker, RdmoPlugin.find(running));
            out.println("server    process " + ProcessHandle.current().pid() + ", worker "
                    + WorkerId.toString(worker.id()) + ", " + running.device() + ", " + region);
            serve(rdmo, memory, region);
            requireExpected(region.memory());
            out.println("server    every byte of its memory is as it must be");
        }
    }

    private UromWorker startWorker(UromService running) {
        var worker = UromWorker.create(running.engine(), running)
                .setPlugins(RdmoPlugin.find(running));
        try {
            worker.startAndWait(timeout);
            return worker;
        } catch (RuntimeException e) {
            worker.close();
            throw e;
        }
    }

    private void serve(RdmoPlugin rdmo, HostMemory memory, HostRegion region) {
        region.memory().set(ValueLayout.JAVA_LONG, 0, region.address() + RdmoScript.POINTER_SIZE);
        var address = rdmo.initializeClient(CLIENT_ID, memory, timeout);
        var key = rdmo.register(region, timeout);
        var peer = exchange.allGatherAny(new byte[0], timeout).get(1);
        var queue = rdmo.createReceiveQueue(peer, timeout);
        exchange.allGatherAny(
                new RdmoInvitation(CLIENT_ID, key, region.address(), address).pack(), timeout);
        exchange.allGather(new byte[1], timeout); // the client is done
        rdmo.destroyReceiveQueue(queue, timeout);
        rdmo.deregister(key, timeout);
    }

    private void requireExpected(MemorySegment memory) {
        var expected = script.expected();
        var pointer = memory.get(ValueLayout.JAVA_LONG, 0) - memory.address();
        if (pointer != expected.pointer()) {
            throw new IllegalStateException("The server's pointer points to byte " + pointer
                    + " of its memory and not to " + expected.pointer());
        }
        var written = memory.asSlice(RdmoScript.POINTER_SIZE);
        var wanted = MemorySegment.ofArray(expected.memory()).asSlice(RdmoScript.POINTER_SIZE);
        var wrong = written.mismatch(wanted);
        if (wrong >= 0) {
            throw new IllegalStateException("Byte " + (wrong + RdmoScript.POINTER_SIZE)
                    + " of the server's memory is " + written.get(ValueLayout.JAVA_BYTE, wrong)
                    + " and not " + wanted.get(ValueLayout.JAVA_BYTE, wrong));
        }
    }
}
