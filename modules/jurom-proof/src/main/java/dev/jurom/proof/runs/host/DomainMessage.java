// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.plugin.sandbox.SandboxCommandCodec;
import dev.jurom.plugin.sandbox.SandboxNotification;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.plugin.sandbox.SandboxNotification.Sent;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.plugin.sandbox.UcxLayout;
import dev.jurom.proof.runs.plan.DomainPlan;
import java.lang.foreign.MemorySegment;

/**
 * A message from a member of a domain to the next one: {@code message.h}.
 *
 * @param payload determines the tag and the bytes
 * @param length the number of bytes
 * @param to the id of the receiving worker
 */
record DomainMessage(Payload payload, int length, long to) {

    private static final UcxLayout LAYOUT = UcxLayout.UCX_1_13; // the plugin accepts both layouts

    static DomainMessage of(DomainPlan domain, int sender, int number) {
        var payload = Payload.of(domain.seed(), sender, number, 0);
        return new DomainMessage(
                payload,
                (int) Long.remainderUnsigned(payload.key(), domain.bytes() + 1),
                1 + (sender + 1) % domain.members());
    }

    private MemorySegment bytes() {
        var bytes = new byte[length];
        for (var i = 0; i < length; i++) {
            bytes[i] = payload.byteAt(i);
        }
        return MemorySegment.ofArray(bytes);
    }

    /** Writes the command that sends this message, and returns the length of the command. */
    long writeSend(MemorySegment command) {
        return SandboxCommandCodec.packSend(LAYOUT, payload.key(), to, payload.key(), bytes(), command);
    }

    /** Writes the command that receives this message, and returns the length of the command. */
    long writeReceive(MemorySegment command) {
        return SandboxCommandCodec.packReceive(
                LAYOUT, payload.key(), 0, length, payload.key(), SandboxPlugin.WHOLE_TAG, 0, command);
    }

    /** Returns whether an answer confirms that this message was sent, or contains this message. */
    boolean isAnsweredBy(SandboxNotification answer, boolean sent) {
        return switch (answer) {
            case Sent it -> sent && it.context() == payload.key() && it.status() == 0;
            case Received it ->
                !sent
                        && it.context() == payload.key()
                        && it.status() == 0
                        && it.count() == length
                        && it.senderTag() == payload.key()
                        && it.payload().mismatch(bytes()) == -1;
            default -> false;
        };
    }
}
