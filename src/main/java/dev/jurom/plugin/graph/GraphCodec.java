// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.graph;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.jurom.plugin.CInteger;
import dev.jurom.plugin.CodecException;
import dev.jurom.plugin.IntegerField;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.UnionCodec;
import java.lang.foreign.MemorySegment;

/**
 * The wire format of the graph plugin ({@code urom_graph.h}): codecs for its records, and a way
 * without records for those who count nanoseconds.
 */
public final class GraphCodec {

    /** Packs and unpacks commands. */
    public static final UnionCodec<GraphCommand> COMMAND;
    /** Packs and unpacks notifications. */
    public static final UnionCodec<GraphNotification> NOTIFICATION;

    private static final long LOOPBACK = 0;
    private static final long COMMAND_SIZE;
    private static final long COMMAND_DATA_AT; // two longs and nothing else: written as such
    private static final IntegerField<GraphNotification.Loopback> NOTIFICATION_DATA;
    private static final long NOTIFICATION_SIZE;
    private static final long NOTIFICATION_DATA_AT; // as in a command

    static {
        StructBuilder<GraphCommand.Loopback> struct = StructBuilder.struct("urom_worker_graph_cmd_loopback");
        var data = struct.u64("data", GraphCommand.Loopback::data);
        var payload = struct.rest("payload", GraphCommand.Loopback::payload);
        COMMAND = UnionCodec.<GraphCommand>tagged("urom_worker_graph_cmd", CInteger.U64, "type")
                .member(
                        LOOPBACK,
                        "loopback",
                        GraphCommand.Loopback.class,
                        struct.codec(in -> new GraphCommand.Loopback(data.get(in), payload.get(in))))
                .codec();
        COMMAND_SIZE = COMMAND.size();
        COMMAND_DATA_AT = COMMAND.unionOffset();
    }

    static {
        StructBuilder<GraphNotification.Loopback> struct = StructBuilder.struct("urom_worker_graph_notify_loopback");
        var data = struct.u64("data", GraphNotification.Loopback::data);
        var payload = struct.rest("payload", GraphNotification.Loopback::payload);
        NOTIFICATION = UnionCodec.<GraphNotification>tagged("urom_worker_notify_graph", CInteger.U64, "type")
                .member(
                        LOOPBACK,
                        "loopback",
                        GraphNotification.Loopback.class,
                        struct.codec(in -> new GraphNotification.Loopback(data.get(in), payload.get(in))))
                .codec();
        NOTIFICATION_DATA = data;
        NOTIFICATION_SIZE = NOTIFICATION.size();
        NOTIFICATION_DATA_AT = NOTIFICATION.unionOffset();
    }

    private GraphCodec() {}

    /**
     * Packs a loopback command without a record. Bytes to be echoed may lie behind it in the
     * payload already: they are left alone.
     *
     * @param data any value
     * @param payload the command task's payload
     * @return the length of the command, 16 bytes: where the bytes to be echoed begin
     * @throws CodecException if the payload is shorter
     */
    public static long packLoopback(long data, MemorySegment payload) {
        if (payload.byteSize() < COMMAND_SIZE) {
            COMMAND.begin(LOOPBACK, payload); // says why it does not fit
        }
        payload.set(JAVA_LONG_UNALIGNED, 0, LOOPBACK);
        payload.set(JAVA_LONG_UNALIGNED, COMMAND_DATA_AT, data);
        return COMMAND_SIZE;
    }

    /**
     * Reads the value of a loopback notification without a record. Its echoed bytes begin at 16.
     *
     * @param response the command task's response
     * @return the value
     * @throws CodecException if it is no loopback notification
     */
    public static long loopbackData(MemorySegment response) {
        if (response.byteSize() < NOTIFICATION_SIZE || response.get(JAVA_LONG_UNALIGNED, 0) != LOOPBACK) {
            NOTIFICATION.requireTag(LOOPBACK, response); // says what it is instead
            return NOTIFICATION_DATA.get(response, NOTIFICATION_DATA_AT); // or what it lacks
        }
        return response.get(JAVA_LONG_UNALIGNED, NOTIFICATION_DATA_AT);
    }
}
