// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.rdmo.RdmoCodec;
import dev.jurom.plugin.rdmo.RdmoCommand;
import dev.jurom.plugin.sandbox.SandboxCommandCodec;
import dev.jurom.plugin.sandbox.UcxLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Packs and reads many messages in a JVM that never frees memory. Its heap would be full after some ten
 * thousand messages if each allocated memory.
 */
public final class CodecAllocation {

    private static final int MESSAGES = 5_000_000;

    private CodecAllocation() {}

    /** Prints a sum of the values, so that the compiler cannot eliminate the reads. */
    public static void main(String[] arguments) {
        try (var arena = Arena.ofConfined()) {
            var payload = arena.allocate(256);
            var address = arena.allocate(40);
            var register = new RdmoCommand.RegisterMemory(1, 2, address, address);
            var view = new MessageView();
            long length = RdmoCodec.COMMAND.pack(register, payload);
            var message = payload.asSlice(0, length);
            long sum = 0;
            for (int i = 0; i < MESSAGES; i++) {
                sum += RdmoCodec.COMMAND.pack(register, payload);
                RdmoCodec.COMMAND.open(message, view);
                sum += RdmoCodec.COMMAND.enter(view);
                sum += loopback(i, payload);
                sum += SandboxCommandCodec.packSend(UcxLayout.UCX_1_13, 0, 1, i, address, payload);
                sum += SandboxCommandCodec.packReceive(UcxLayout.UCX_1_13, 0, 0, 1, i, -1, 0, payload);
            }
            System.out.println(sum);
        }
    }

    private static long loopback(long data, MemorySegment payload) {
        GraphCodec.packLoopback(data, payload);
        return GraphCodec.loopbackData(payload);
    }
}
