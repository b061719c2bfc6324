// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import dev.jurom.plugin.CInteger;
import dev.jurom.plugin.CodecException;
import dev.jurom.plugin.IntegerField;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.plugin.UnionCodec;
import dev.jurom.plugin.sandbox.SandboxCommand.MapMemory;
import dev.jurom.plugin.sandbox.SandboxCommand.MapParameters;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxCommand.Send;
import java.lang.foreign.MemorySegment;

/**
 * The wire format of the sandbox plugin's commands ({@code urom_sandbox.h}): codecs for its records, and
 * methods that write sends and receives without records and without allocation. Thread-safe.
 */
public final class SandboxCommandCodec {

    private static final int SEND = 1;
    private static final int RECEIVE = 2;

    private static final StructCodec<Send> SEND_CODEC;
    private static final IntegerField<Send> SEND_CONTEXT;
    private static final IntegerField<Send> SEND_DESTINATION;
    private static final IntegerField<Send> SEND_ADDRESS;
    private static final IntegerField<Send> SEND_COUNT;
    private static final IntegerField<Send> SEND_TAG;
    private static final IntegerField<Send> SEND_HANDLE;

    static {
        StructBuilder<Send> struct = StructBuilder.struct("urom_worker_sandbox_cmd_tag_send");
        var context = struct.u64("context", Send::context);
        var destination = struct.u64("dest", Send::destination);
        var address = struct.u64("buffer", Send::address);
        var count = struct.u64("count", Send::count);
        var tag = struct.u64("tag", Send::tag);
        var handle = struct.u64("memh_id", Send::memoryHandle);
        var payload = struct.inline(
                "payload", Send::payload, (message, at) -> handle.get(message, at) == 0 ? count.get(message, at) : 0);
        SEND_CONTEXT = context;
        SEND_DESTINATION = destination;
        SEND_ADDRESS = address;
        SEND_COUNT = count;
        SEND_TAG = tag;
        SEND_HANDLE = handle;
        SEND_CODEC = struct.codec(in -> new Send(
                context.get(in),
                destination.get(in),
                address.get(in),
                count.get(in),
                tag.get(in),
                handle.get(in),
                payload.get(in)));
    }

    private static final StructCodec<Receive> RECEIVE_CODEC;
    private static final IntegerField<Receive> RECEIVE_CONTEXT;
    private static final IntegerField<Receive> RECEIVE_ADDRESS;
    private static final IntegerField<Receive> RECEIVE_COUNT;
    private static final IntegerField<Receive> RECEIVE_TAG;
    private static final IntegerField<Receive> RECEIVE_MASK;
    private static final IntegerField<Receive> RECEIVE_HANDLE;

    static {
        StructBuilder<Receive> struct = StructBuilder.struct("urom_worker_sandbox_cmd_tag_recv");
        var context = struct.u64("context", Receive::context);
        var address = struct.u64("buffer", Receive::address);
        var count = struct.u64("count", Receive::count);
        var tag = struct.u64("tag", Receive::tag);
        var mask = struct.u64("tag_mask", Receive::tagMask);
        var handle = struct.u64("memh_id", Receive::memoryHandle);
        RECEIVE_CONTEXT = context;
        RECEIVE_ADDRESS = address;
        RECEIVE_COUNT = count;
        RECEIVE_TAG = tag;
        RECEIVE_MASK = mask;
        RECEIVE_HANDLE = handle;
        RECEIVE_CODEC = struct.codec(in -> new Receive(
                context.get(in), address.get(in), count.get(in), tag.get(in), mask.get(in), handle.get(in)));
    }

    private static final UnionCodec<SandboxCommand> UCX_1_13 = command(UcxLayout.UCX_1_13);
    private static final UnionCodec<SandboxCommand> UCX_1_14 = command(UcxLayout.UCX_1_14);

    private SandboxCommandCodec() {}

    /**
     * Returns the codec for the layout of a plugin.
     *
     * @param layout the plugin's layout
     * @return the same codec at each call
     */
    public static UnionCodec<SandboxCommand> of(UcxLayout layout) {
        return switch (layout) {
            case UCX_1_13 -> UCX_1_13;
            case UCX_1_14 -> UCX_1_14;
        };
    }

    /**
     * Packs a {@link Send} whose command contains the message, without a record.
     *
     * @param layout the plugin's layout
     * @param context any value, which the notification returns
     * @param destination the domain id of the receiving worker
     * @param tag the message's tag
     * @param message the message; it may already be at its position in the payload
     * @param payload the command task's payload
     * @return the length of the command
     * @throws CodecException if the payload is too short
     */
    public static long packSend(
            UcxLayout layout, long context, long destination, long tag, MemorySegment message, MemorySegment payload) {
        var codec = of(layout);
        var length = codec.size() + message.byteSize();
        if (length > payload.byteSize()) {
            throw CodecException.tooLong(
                    "urom_worker_sandbox_cmd_tag_send.payload",
                    codec.size(),
                    "a message of " + message.byteSize() + " bytes does not fit into a command of at most "
                            + payload.byteSize() + " bytes, of which " + codec.size() + " are its header");
        }
        packSend(codec, context, destination, 0, message.byteSize(), tag, 0, payload);
        MemorySegment.copy(message, 0, payload, codec.size(), message.byteSize());
        return length;
    }

    /**
     * Packs a {@link Send} of a message in mapped host memory, without a record.
     *
     * @param layout the plugin's layout
     * @param context any value, which the notification returns
     * @param destination the domain id of the receiving worker
     * @param address the address of the message in this process
     * @param count its length in bytes
     * @param tag the message's tag
     * @param memoryHandle a {@link SandboxNotification.MemoryMapped#memoryHandle()}, not 0
     * @param payload the command task's payload
     * @return the length of the command
     * @throws CodecException if the payload is too short
     */
    public static long packMappedSend(
            UcxLayout layout,
            long context,
            long destination,
            long address,
            long count,
            long tag,
            long memoryHandle,
            MemorySegment payload) {
        var codec = of(layout);
        packSend(codec, context, destination, address, count, tag, memoryHandle, payload);
        return codec.size();
    }

    private static void packSend(
            UnionCodec<SandboxCommand> codec,
            long context,
            long destination,
            long address,
            long count,
            long tag,
            long memoryHandle,
            MemorySegment payload) {
        var at = codec.begin(SEND, payload);
        SEND_CONTEXT.set(payload, at, context);
        SEND_DESTINATION.set(payload, at, destination);
        SEND_ADDRESS.set(payload, at, address);
        SEND_COUNT.set(payload, at, count);
        SEND_TAG.set(payload, at, tag);
        SEND_HANDLE.set(payload, at, memoryHandle);
    }

    /**
     * Packs a {@link Receive} without a record.
     *
     * @param layout the plugin's layout
     * @param context any value, which the notification returns
     * @param address the address of the buffer in mapped host memory; any value if the handle is 0
     * @param count the maximum length of the message in bytes
     * @param tag the tag to be matched
     * @param tagMask the bits of the tag that must match
     * @param memoryHandle a {@link SandboxNotification.MemoryMapped#memoryHandle()}, or 0
     * @param payload the command task's payload
     * @return the length of the command
     * @throws CodecException if the payload is too short
     */
    public static long packReceive(
            UcxLayout layout,
            long context,
            long address,
            long count,
            long tag,
            long tagMask,
            long memoryHandle,
            MemorySegment payload) {
        var codec = of(layout);
        var at = codec.begin(RECEIVE, payload);
        RECEIVE_CONTEXT.set(payload, at, context);
        RECEIVE_ADDRESS.set(payload, at, address);
        RECEIVE_COUNT.set(payload, at, count);
        RECEIVE_TAG.set(payload, at, tag);
        RECEIVE_MASK.set(payload, at, tagMask);
        RECEIVE_HANDLE.set(payload, at, memoryHandle);
        return codec.size();
    }

    private static UnionCodec<SandboxCommand> command(UcxLayout layout) {
        return UnionCodec.<SandboxCommand>tagged("urom_worker_sandbox_cmd", CInteger.U64, "type")
                .member(0, "mem_map", MapMemory.class, mapMemory(layout))
                .member(SEND, "tag_send", Send.class, SEND_CODEC)
                .member(RECEIVE, "tag_recv", Receive.class, RECEIVE_CODEC)
                .codec();
    }

    private static StructCodec<MapMemory> mapMemory(UcxLayout layout) {
        StructBuilder<MapMemory> struct = StructBuilder.struct("urom_worker_sandbox_cmd_mem_map");
        var context = struct.u64("context", MapMemory::context);
        var parameters = struct.nested("map_params", mapParameters(layout), MapMemory::parameters);
        var length = struct.u64(
                "exported_memh_buffer_len", command -> command.exportedHandle().byteSize());
        var handle = struct.inline("exported_memh_buffer", MapMemory::exportedHandle, length::get);
        return struct.codec(in -> new MapMemory(context.get(in), parameters.get(in), handle.get(in)));
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
            // The worker sets it to the address of the inline handle.
            struct.pointer("exported_memh_buffer", parameters -> false);
        }
        return struct.codec(in -> new MapParameters(
                fieldMask.get(in),
                address.get(in),
                length.get(in),
                flags.get(in),
                protection.get(in),
                memoryType.getInt(in)));
    }
}
