// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static dev.jurom.plugin.MessageKind.hex;
import static dev.jurom.plugin.MessageKind.inlineBytes;
import static dev.jurom.plugin.MessageKind.line;
import static dev.jurom.plugin.MessageKind.numbers;

import dev.jurom.plugin.rdmo.RdmoCodec;
import dev.jurom.plugin.rdmo.RdmoCommand;
import dev.jurom.plugin.rdmo.RdmoNotification;
import dev.jurom.plugin.rdmo.RdmoRequest;
import dev.jurom.plugin.rdmo.RdmoRequestCodec;
import dev.jurom.plugin.rdmo.RdmoResponse;
import dev.jurom.plugin.rdmo.ScatterVector;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generates messages of the RDMO plugin and its clients. */
final class RdmoMessages {

    private RdmoMessages() {}

    static List<MessageKind<?>> kinds() {
        return List.of(
                MessageKind.of(RdmoCodec.COMMAND, commands(), RdmoMessages::text),
                MessageKind.of(RdmoCodec.NOTIFICATION, notifications(), RdmoMessages::text),
                new MessageKind<>(
                        "urom_rdmo_hdr",
                        RdmoRequestCodec::pack,
                        RdmoRequestCodec::unpack,
                        requests(),
                        RdmoMessages::text,
                        false),
                MessageKind.of(RdmoRequestCodec.VECTORS, vectors(), RdmoMessages::text),
                MessageKind.of(
                        RdmoRequestCodec.FLUSHED,
                        numbers().map(RdmoResponse.Flushed::new),
                        flushed -> line("rdmo_flush_response", flushed.flushId())));
    }

    private static Arbitrary<RdmoCommand> commands() {
        var any = numbers();
        return Arbitraries.oneOf(
                Combinators.combine(any, inlineBytes()).as(RdmoCommand.InitializeClient::new),
                inlineBytes().map(RdmoCommand.CreateReceiveQueue::new),
                any.map(RdmoCommand.DestroyReceiveQueue::new),
                Combinators.combine(any, any, inlineBytes(), inlineBytes()).as(RdmoCommand.RegisterMemory::new),
                any.map(RdmoCommand.DeregisterMemory::new));
    }

    private static Arbitrary<RdmoNotification> notifications() {
        var any = numbers();
        return Arbitraries.oneOf(
                inlineBytes().map(RdmoNotification.ClientInitialized::new),
                any.map(RdmoNotification.ReceiveQueueCreated::new),
                any.map(RdmoNotification.ReceiveQueueDestroyed::new),
                any.map(RdmoNotification.MemoryRegistered::new),
                any.map(RdmoNotification.MemoryDeregistered::new));
    }

    private static Arbitrary<RdmoRequest> requests() {
        var any = numbers();
        var flags = Arbitraries.longs().between(0, 0xFFFF_FFFFL);
        return Arbitraries.oneOf(
                Combinators.combine(any, flags, any).as(RdmoRequest.Flush::new),
                Combinators.combine(any, flags, any, any, any).as(RdmoRequest.Append::new),
                Combinators.combine(any, flags, any).as(RdmoRequest.Scatter::new));
    }

    private static Arbitrary<List<ScatterVector>> vectors() {
        var any = numbers();
        return Combinators.combine(any, any, inlineBytes())
                .as(ScatterVector::new)
                .list()
                .ofMaxSize(9);
    }

    private static String text(RdmoCommand command) {
        return switch (command) {
            case RdmoCommand.InitializeClient client -> line("rdmo_client_init", client.id(), hex(client.address()));
            case RdmoCommand.CreateReceiveQueue queue -> line("rdmo_rq_create", hex(queue.address()));
            case RdmoCommand.DestroyReceiveQueue queue -> line("rdmo_rq_destroy", queue.id());
            case RdmoCommand.RegisterMemory memory ->
                line(
                        "rdmo_mr_reg",
                        memory.address(),
                        memory.length(),
                        hex(memory.packedKey()),
                        hex(memory.packedHandle()));
            case RdmoCommand.DeregisterMemory memory -> line("rdmo_mr_dereg", memory.key());
        };
    }

    private static String text(RdmoNotification notification) {
        return switch (notification) {
            case RdmoNotification.ClientInitialized client -> line("rdmo_notify_client_init", hex(client.address()));
            case RdmoNotification.ReceiveQueueCreated queue -> line("rdmo_notify_rq_create", queue.id());
            case RdmoNotification.ReceiveQueueDestroyed queue -> line("rdmo_notify_rq_destroy", queue.id());
            case RdmoNotification.MemoryRegistered memory -> line("rdmo_notify_mr_reg", memory.key());
            case RdmoNotification.MemoryDeregistered memory -> line("rdmo_notify_mr_dereg", memory.key());
        };
    }

    private static String text(RdmoRequest request) {
        return switch (request) {
            case RdmoRequest.Flush flush -> line("rdmo_flush", flush.client(), flush.flags(), flush.flushId());
            case RdmoRequest.Append append ->
                line(
                        "rdmo_append",
                        append.client(),
                        append.flags(),
                        append.pointerAddress(),
                        append.pointerKey(),
                        append.dataKey());
            case RdmoRequest.Scatter scatter ->
                line("rdmo_scatter", scatter.client(), scatter.flags(), scatter.count());
        };
    }

    private static String text(List<ScatterVector> vectors) {
        return line("rdmo_scatter_vectors", vectors.size())
                + vectors.stream()
                        .map(vector -> line("", vector.address(), vector.key(), hex(vector.data())))
                        .collect(Collectors.joining());
    }
}
