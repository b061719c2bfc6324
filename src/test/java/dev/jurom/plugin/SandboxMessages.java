// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static dev.jurom.plugin.MessageKind.hex;
import static dev.jurom.plugin.MessageKind.inlineBytes;
import static dev.jurom.plugin.MessageKind.line;
import static dev.jurom.plugin.MessageKind.numbers;

import dev.jurom.plugin.sandbox.SandboxCommand;
import dev.jurom.plugin.sandbox.SandboxCommandCodec;
import dev.jurom.plugin.sandbox.SandboxNotification;
import dev.jurom.plugin.sandbox.SandboxNotificationCodec;
import dev.jurom.plugin.sandbox.UcxLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generates messages of the sandbox plugin. */
final class SandboxMessages {

    private SandboxMessages() {}

    static List<MessageKind<?>> kinds() {
        return List.of(
                MessageKind.of(
                        SandboxCommandCodec.of(UcxLayout.UCX_1_13), commands(), command -> text(command, "_1_13")),
                MessageKind.of(
                        SandboxCommandCodec.of(UcxLayout.UCX_1_14), commands(), command -> text(command, "_1_14")),
                MessageKind.of(SandboxNotificationCodec.NOTIFICATION, notifications(), SandboxMessages::text));
    }

    private static Arbitrary<SandboxCommand> commands() {
        return Arbitraries.oneOf(mapMemory(), sendInline(), sendMapped(), receive());
    }

    private static Arbitrary<SandboxCommand> mapMemory() {
        var any = numbers();
        var bits = Arbitraries.longs().between(0, 0xFFFF_FFFFL);
        var parameters = Combinators.combine(any, any, any, bits, bits, Arbitraries.integers())
                .as(SandboxCommand.MapParameters::new);
        return Combinators.combine(any, parameters, inlineBytes()).as(SandboxCommand.MapMemory::new);
    }

    private static Arbitrary<SandboxCommand> sendInline() {
        var any = numbers();
        return Combinators.combine(any, any, any, inlineBytes()).as(SandboxCommand.Send::inline);
    }

    private static Arbitrary<SandboxCommand> sendMapped() {
        var any = numbers();
        return Combinators.combine(any, any, any, any, any, any.filter(handle -> handle != 0))
                .as(SandboxCommand.Send::mapped);
    }

    private static Arbitrary<SandboxCommand> receive() {
        var any = numbers();
        return Combinators.combine(any, any, any, any, any, any).as(SandboxCommand.Receive::new);
    }

    private static Arbitrary<SandboxNotification> notifications() {
        var any = numbers();
        var status = Arbitraries.integers().between(Byte.MIN_VALUE, Byte.MAX_VALUE);
        return Arbitraries.oneOf(
                Combinators.combine(any, any).as(SandboxNotification.MemoryMapped::new),
                Combinators.combine(any, status).as(SandboxNotification.Sent::new),
                Combinators.combine(any, any, status, inlineBytes())
                        .as((context, tag, code, payload) ->
                                new SandboxNotification.Received(context, payload.byteSize(), tag, code, payload)),
                Combinators.combine(any, any, any, status)
                        .as((context, count, tag, code) ->
                                new SandboxNotification.Received(context, count, tag, code, MemorySegment.NULL)));
    }

    private static String text(SandboxCommand command, String layout) {
        return switch (command) {
            case SandboxCommand.MapMemory map -> {
                var parameters = map.parameters();
                yield line(
                        "sandbox_mem_map" + layout,
                        map.context(),
                        parameters.fieldMask(),
                        parameters.address(),
                        parameters.length(),
                        parameters.flags(),
                        parameters.protection(),
                        parameters.memoryType(),
                        hex(map.exportedHandle()));
            }
            case SandboxCommand.Send send ->
                line(
                        "sandbox_tag_send" + layout,
                        send.context(),
                        send.destination(),
                        send.address(),
                        send.count(),
                        send.tag(),
                        send.memoryHandle(),
                        hex(send.payload()));
            case SandboxCommand.Receive receive ->
                line(
                        "sandbox_tag_recv" + layout,
                        receive.context(),
                        receive.address(),
                        receive.count(),
                        receive.tag(),
                        receive.tagMask(),
                        receive.memoryHandle());
        };
    }

    private static String text(SandboxNotification notification) {
        return switch (notification) {
            case SandboxNotification.MemoryMapped mapped ->
                line("sandbox_notify_mem_map", mapped.context(), mapped.memoryHandle());
            case SandboxNotification.Sent sent -> line("sandbox_notify_tag_send", sent.context(), sent.status());
            case SandboxNotification.Received received ->
                line(
                        "sandbox_notify_tag_recv",
                        received.context(),
                        received.isInline() ? 1 : 0,
                        received.count(),
                        received.senderTag(),
                        received.status(),
                        hex(received.payload()));
        };
    }
}
