// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import dev.jurom.plugin.CInteger;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.plugin.UnionCodec;
import dev.jurom.plugin.rdmo.RdmoCommand.CreateReceiveQueue;
import dev.jurom.plugin.rdmo.RdmoCommand.DeregisterMemory;
import dev.jurom.plugin.rdmo.RdmoCommand.DestroyReceiveQueue;
import dev.jurom.plugin.rdmo.RdmoCommand.InitializeClient;
import dev.jurom.plugin.rdmo.RdmoCommand.RegisterMemory;
import dev.jurom.plugin.rdmo.RdmoNotification.ClientInitialized;
import dev.jurom.plugin.rdmo.RdmoNotification.MemoryDeregistered;
import dev.jurom.plugin.rdmo.RdmoNotification.MemoryRegistered;
import dev.jurom.plugin.rdmo.RdmoNotification.ReceiveQueueCreated;
import dev.jurom.plugin.rdmo.RdmoNotification.ReceiveQueueDestroyed;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * The wire format of the RDMO plugin's commands and notifications ({@code urom_rdmo.h}).
 * {@link RdmoRequestCodec} has the format of the requests that peers send directly to the worker.
 */
public final class RdmoCodec {

    /** Packs and unpacks commands. */
    public static final UnionCodec<RdmoCommand> COMMAND = UnionCodec.<RdmoCommand>tagged(
                    "urom_worker_rdmo_cmd", CInteger.U64, "type")
            .member(0, "client_init", InitializeClient.class, initializeClient())
            .member(1, "rq_create", CreateReceiveQueue.class, createReceiveQueue())
            .member(
                    2,
                    "rq_destroy",
                    DestroyReceiveQueue.class,
                    single(
                            "urom_worker_rdmo_cmd_rq_destroy",
                            "rq_id",
                            DestroyReceiveQueue::id,
                            DestroyReceiveQueue::new))
            .member(3, "mr_reg", RegisterMemory.class, registerMemory())
            .member(
                    4,
                    "mr_dereg",
                    DeregisterMemory.class,
                    single("urom_worker_rdmo_cmd_mr_dereg", "rkey", DeregisterMemory::key, DeregisterMemory::new))
            .codec();

    /** Packs and unpacks notifications. */
    public static final UnionCodec<RdmoNotification> NOTIFICATION = UnionCodec.<RdmoNotification>tagged(
                    "urom_worker_notify_rdmo", CInteger.U64, "type")
            .member(0, "client_init", ClientInitialized.class, clientInitialized())
            .member(
                    1,
                    "rq_create",
                    ReceiveQueueCreated.class,
                    single(
                            "urom_worker_rdmo_notify_rq_create",
                            "rq_id",
                            ReceiveQueueCreated::id,
                            ReceiveQueueCreated::new))
            .member(
                    2,
                    "rq_destroy",
                    ReceiveQueueDestroyed.class,
                    single(
                            "urom_worker_rdmo_notify_rq_destroy",
                            "rq_id",
                            ReceiveQueueDestroyed::id,
                            ReceiveQueueDestroyed::new))
            .member(
                    3,
                    "mr_reg",
                    MemoryRegistered.class,
                    single("urom_worker_rdmo_notify_mr_reg", "rkey", MemoryRegistered::key, MemoryRegistered::new))
            .member(
                    4,
                    "mr_dereg",
                    MemoryDeregistered.class,
                    single(
                            "urom_worker_rdmo_notify_mr_dereg",
                            "rkey",
                            MemoryDeregistered::key,
                            MemoryDeregistered::new))
            .codec();

    private RdmoCodec() {}

    private static StructCodec<InitializeClient> initializeClient() {
        StructBuilder<InitializeClient> struct = StructBuilder.struct("urom_worker_rdmo_cmd_client_init");
        var id = struct.u64("id", InitializeClient::id);
        var address = struct.pointerAndLength("addr", "addr_len", InitializeClient::address);
        return struct.codec(in -> new InitializeClient(id.get(in), address.get(in)));
    }

    private static StructCodec<CreateReceiveQueue> createReceiveQueue() {
        StructBuilder<CreateReceiveQueue> struct = StructBuilder.struct("urom_worker_rdmo_cmd_rq_create");
        var address = struct.pointerAndLength("addr", "addr_len", CreateReceiveQueue::address);
        return struct.codec(in -> new CreateReceiveQueue(address.get(in)));
    }

    private static StructCodec<RegisterMemory> registerMemory() {
        StructBuilder<RegisterMemory> struct = StructBuilder.struct("urom_worker_rdmo_cmd_mr_reg");
        var address = struct.u64("va", RegisterMemory::address);
        var length = struct.u64("len", RegisterMemory::length);
        var key = struct.pointerAndLength("packed_rkey", "packed_rkey_len", RegisterMemory::packedKey);
        var handle = struct.pointerAndLength("packed_memh", "packed_memh_len", RegisterMemory::packedHandle);
        return struct.codec(in -> new RegisterMemory(address.get(in), length.get(in), key.get(in), handle.get(in)));
    }

    private static StructCodec<ClientInitialized> clientInitialized() {
        StructBuilder<ClientInitialized> struct = StructBuilder.struct("urom_worker_rdmo_notify_client_init");
        var address = struct.pointerAndLength("addr", "addr_len", ClientInitialized::address);
        return struct.codec(in -> new ClientInitialized(address.get(in)));
    }

    /** A struct of one 64-bit number. */
    private static <R> StructCodec<R> single(
            String name, String fieldName, ToLongFunction<R> component, LongFunction<R> constructor) {
        StructBuilder<R> struct = StructBuilder.struct(name);
        var field = struct.u64(fieldName, component);
        return struct.codec(in -> constructor.apply(field.get(in)));
    }
}
