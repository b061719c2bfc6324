// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.RdmoTarget;
import dev.jurom.UromConfiguration;
import dev.jurom.WorkerConfiguration;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.urom.WorkerId;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * The rank of {@code urom rdmo} that owns the memory. It only waits while the client writes, since
 * its worker executes the operations.
 */
record RdmoServer(OutOfBandExchange exchange, RdmoScript script, ServiceOption service, Duration timeout) {

    void run(PrintStream out) throws InterruptedException {
        var configuration = UromConfiguration.builder()
                .maxMessageSize(service.maxMessageSize())
                .callTimeout(timeout)
                .build();
        try (var chosen = service.open(out::println);
                var urom = service.connect(configuration);
                var worker = urom.startWorker(WorkerConfiguration.of(RdmoPlugin.NAME));
                var target = RdmoTarget.open(worker, script.size())) {
            out.println("server    process " + ProcessHandle.current().pid() + ", worker "
                    + WorkerId.toString(worker.id()) + ", " + urom + ", " + target);
            serve(target);
            requireExpected(target);
            out.println("server    every byte of its memory is as it must be");
        }
    }

    private void serve(RdmoTarget target) throws InterruptedException {
        target.setPointer(0, RdmoScript.POINTER_SIZE);
        var peer = exchange.allGatherAny(new byte[0], timeout).get(1);
        var invitation = target.invite(peer);
        exchange.allGatherAny(invitation.toBytes(), timeout);
        exchange.allGather(new byte[1], timeout); // the client is done
        target.dismiss(invitation);
    }

    private void requireExpected(RdmoTarget target) throws InterruptedException {
        var memory = target.memory();
        var expected = script.expected();
        var pointer = target.pointer(0);
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
