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
 * The wire format of the graph plugin ({@code urom_graph.h}): codecs for its records, and methods that
 * read and write messages without records and without allocation. Thread-safe.
 */
public final class GraphCodec {

    /** Packs and unpacks commands. */
    public static final UnionCodec<GraphCommand> COMMAND;
    /** Packs and unpacks notifications. */
    public static final UnionCodec<GraphNotification> NOTIFICATION;

    private static final long LOOPBACK = 0;
    private static final long COMMAND_SIZE;
    private static final long COMMAND_DATA_AT; // a command consists of two longs
    private static final IntegerField<GraphNotification.Loopback> NOTIFICATION_DATA;
    private static final long NOTIFICATION_SIZE;
    private static final long NOTIFICATION_DATA_AT; // a notification has the same layout

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
     * Packs a loopback command without a record. The bytes of the payload after the command, which the
     * plugin returns if the payload length includes them, are not changed.
     *
     * @param data any value
     * @param payload the command task's payload
     * @return the length of the command, 16 bytes
     * @throws CodecException if the payload is shorter
     */
    public static long packLoopback(long data, MemorySegment payload) {
        if (payload.byteSize() < COMMAND_SIZE) {
            COMMAND.begin(LOOPBACK, payload); // throws
        }
        payload.set(JAVA_LONG_UNALIGNED, 0, LOOPBACK);
        payload.set(JAVA_LONG_UNALIGNED, COMMAND_DATA_AT, data);
        return COMMAND_SIZE;
    }

    /**
     * Reads the value of a loopback notification without a record. The returned bytes begin at offset
     * 16.
     *
     * @param response the command task's response
     * @return the value
     * @throws CodecException if the response is not a loopback notification
     */
    public static long loopbackData(MemorySegment response) {
        if (response.byteSize() < NOTIFICATION_SIZE || response.get(JAVA_LONG_UNALIGNED, 0) != LOOPBACK) {
            NOTIFICATION.requireTag(LOOPBACK, response); // throws, or else the next line does
            return NOTIFICATION_DATA.get(response, NOTIFICATION_DATA_AT);
        }
        return response.get(JAVA_LONG_UNALIGNED, NOTIFICATION_DATA_AT);
    }
}
