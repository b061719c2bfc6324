// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import dev.jurom.plugin.CInteger;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.plugin.UnionCodec;
import dev.jurom.plugin.sandbox.SandboxNotification.MemoryMapped;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.plugin.sandbox.SandboxNotification.Sent;
import java.lang.foreign.MemorySegment;

/** The wire format of the sandbox plugin's notifications ({@code urom_sandbox.h}). */
public final class SandboxNotificationCodec {

    /** Packs and unpacks notifications, whose layout does not depend on the version of UCX. */
    public static final UnionCodec<SandboxNotification> NOTIFICATION = UnionCodec.<SandboxNotification>tagged(
                    "urom_worker_notify_sandbox", CInteger.U64, "type")
            .member(0, "mem_map", MemoryMapped.class, memoryMapped())
            .member(1, "tag_send", Sent.class, sent())
            .member(2, "tag_recv", Received.class, received())
            .codec();

    private SandboxNotificationCodec() {}

    private static StructCodec<MemoryMapped> memoryMapped() {
        StructBuilder<MemoryMapped> struct = StructBuilder.struct("urom_worker_sandbox_notify_mem_map");
        var context = struct.u64("context", MemoryMapped::context);
        var memoryHandle = struct.u64("memh_id", MemoryMapped::memoryHandle);
        return struct.codec(in -> new MemoryMapped(context.get(in), memoryHandle.get(in)));
    }

    private static StructCodec<Sent> sent() {
        StructBuilder<Sent> struct = StructBuilder.struct("urom_worker_sandbox_notify_tag_send");
        var context = struct.u64("context", Sent::context);
        var status = struct.s8("status", Sent::status);
        return struct.codec(in -> new Sent(context.get(in), status.getInt(in)));
    }

    private static StructCodec<Received> received() {
        StructBuilder<Received> struct = StructBuilder.struct("urom_worker_sandbox_notify_tag_recv");
        var context = struct.u64("context", Received::context);
        var buffer = struct.pointer("buffer", Received::isInline);
        var count = struct.u64("count", Received::count);
        var senderTag = struct.u64("sender_tag", Received::senderTag);
        var status = struct.s8("status", Received::status);
        var payload = struct.inline(
                "payload", Received::payload, (message, at) -> buffer.isNull(message, at) ? 0 : count.get(message, at));
        return struct.codec(in -> new Received(
                context.get(in),
                count.get(in),
                senderTag.get(in),
                status.getInt(in),
                buffer.isNull(in) ? MemorySegment.NULL : payload.get(in)));
    }
}
