// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import dev.jurom.plugin.CInteger;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.plugin.UnionCodec;
import dev.jurom.plugin.sandbox.SandboxCommand.MapMemory;
import dev.jurom.plugin.sandbox.SandboxCommand.MapParameters;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxCommand.Send;

/** The wire format of the sandbox plugin's commands ({@code urom_sandbox.h}). */
public final class SandboxCommandCodec {

    private static final UnionCodec<SandboxCommand> UCX_1_13 = command(UcxLayout.UCX_1_13);
    private static final UnionCodec<SandboxCommand> UCX_1_14 = command(UcxLayout.UCX_1_14);

    private SandboxCommandCodec() {
    }

    /**
     * The codec for a worker whose plugin was compiled with a version of UCX.
     *
     * @param layout that version's layout
     * @return the codec, always the same one
     */
    public static UnionCodec<SandboxCommand> of(UcxLayout layout) {
        return switch (layout) {
            case UCX_1_13 -> UCX_1_13;
            case UCX_1_14 -> UCX_1_14;
        };
    }

    private static UnionCodec<SandboxCommand> command(UcxLayout layout) {
        return UnionCodec.<SandboxCommand>tagged("urom_worker_sandbox_cmd", CInteger.U64, "type")
                .member(0, "mem_map", MapMemory.class, mapMemory(layout))
                .member(1, "tag_send", Send.class, send())
                .member(2, "tag_recv", Receive.class, receive())
                .codec();
    }

    private static StructCodec<MapMemory> mapMemory(UcxLayout layout) {
        StructBuilder<MapMemory> struct = StructBuilder.struct("urom_worker_sandbox_cmd_mem_map");
        var context = struct.u64("context", MapMemory::context);
        var parameters = struct.nested("map_params", mapParameters(layout), MapMemory::parameters);
        var length = struct.u64("exported_memh_buffer_len",
                command -> command.exportedHandle().byteSize());
        var handle = struct.inline("exported_memh_buffer", MapMemory::exportedHandle, length::get);
        return struct.codec(in ->
                new MapMemory(context.get(in), parameters.get(in), handle.get(in)));
    }

    private static StructCodec<MapParameters> mapParameters(UcxLayout layout) {
        StructBuilder<MapParameters> struct = StructBuilder.struct("ucp_mem_map_params_t");
        var fieldMask = struct.u64("field_mask", MapParameters::fieldMask);
        var address = struct.u64("address", MapParameters::address);
        var length = struct.u64("length", MapParameters::length);
        var flags = struct.u32("flags", MapParameters::flags);
        var protection = struct.u32("prot", MapParameters::protection);
        var memoryType = struct.s32("memory_type", MapParameters::memoryType);
        if (layout == UcxLayout.UCX_1_14) {
            // The worker points it at the inline handle.
            struct.pointer("exported_memh_buffer", parameters -> false);
        }
        return struct.codec(in -> new MapParameters(fieldMask.get(in), address.get(in),
                length.get(in), flags.get(in), protection.get(in), memoryType.getInt(in)));
    }

    private static StructCodec<Send> send() {
        StructBuilder<Send> struct = StructBuilder.struct("urom_worker_sandbox_cmd_tag_send");
        var context = struct.u64("context", Send::context);
        var destination = struct.u64("dest", Send::destination);
        var address = struct.u64("buffer", Send::address);
        var count = struct.u64("count", Send::count);
        var tag = struct.u64("tag", Send::tag);
        var memoryHandle = struct.u64("memh_id", Send::memoryHandle);
        var payload = struct.inline("payload", Send::payload, (message, at) ->
                memoryHandle.get(message, at) == 0 ? count.get(message, at) : 0);
        return struct.codec(in -> new Send(context.get(in), destination.get(in), address.get(in),
                count.get(in), tag.get(in), memoryHandle.get(in), payload.get(in)));
    }

    private static StructCodec<Receive> receive() {
        StructBuilder<Receive> struct = StructBuilder.struct("urom_worker_sandbox_cmd_tag_recv");
        var context = struct.u64("context", Receive::context);
        var address = struct.u64("buffer", Receive::address);
        var count = struct.u64("count", Receive::count);
        var tag = struct.u64("tag", Receive::tag);
        var tagMask = struct.u64("tag_mask", Receive::tagMask);
        var memoryHandle = struct.u64("memh_id", Receive::memoryHandle);
        return struct.codec(in -> new Receive(context.get(in), address.get(in), count.get(in),
                tag.get(in), tagMask.get(in), memoryHandle.get(in)));
    }
}
