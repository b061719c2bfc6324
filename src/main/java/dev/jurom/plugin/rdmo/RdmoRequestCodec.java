// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import dev.jurom.plugin.CodecException;
import dev.jurom.plugin.IntegerField;
import dev.jurom.plugin.SequenceCodec;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.plugin.rdmo.RdmoRequest.Append;
import dev.jurom.plugin.rdmo.RdmoRequest.Flush;
import dev.jurom.plugin.rdmo.RdmoRequest.Scatter;
import java.lang.foreign.MemorySegment;

/**
 * The wire format of the requests of RDMO peers and the responses of the worker, which are UCX active
 * messages ({@code urom_rdmo.h}).
 */
public final class RdmoRequestCodec {

    /** Packs and unpacks the data of a {@link Scatter}: its vectors, each followed by its bytes. */
    public static final SequenceCodec<ScatterVector> VECTORS;

    /** The number of header bytes of a vector. */
    public static final long VECTOR_SIZE;

    /** Packs and unpacks responses. */
    public static final StructCodec<RdmoResponse.Flushed> FLUSHED = flushed();

    private static final int FLUSH_ID = 0;
    private static final int APPEND_ID = 1;
    private static final int SCATTER_ID = 2;

    private static final Header<RdmoRequest> HEADER = Header.of(StructBuilder.struct("urom_rdmo_hdr"), FLUSH_ID);
    private static final StructCodec<Flush> FLUSH = flush();
    private static final StructCodec<Append> APPEND = append();
    private static final StructCodec<Scatter> SCATTER = scatter();

    static {
        var vector = vector();
        VECTORS = SequenceCodec.of(vector);
        VECTOR_SIZE = vector.size();
    }

    private RdmoRequestCodec() {}

    /**
     * Packs a request's header.
     *
     * @param request the request
     * @param header the destination; 40 bytes are sufficient for all requests
     * @return its length in bytes
     * @throws CodecException if the segment is too small, or the flags do not fit into 32 bits
     */
    public static long pack(RdmoRequest request, MemorySegment header) {
        return switch (request) {
            case Flush flush -> FLUSH.pack(flush, header);
            case Append append -> APPEND.pack(append, header);
            case Scatter scatter -> SCATTER.pack(scatter, header);
        };
    }

    /**
     * Unpacks a request's header.
     *
     * @param header a segment that contains exactly the header
     * @return the request
     * @throws CodecException if the bytes are not the header of a request
     */
    public static RdmoRequest unpack(MemorySegment header) {
        long operation = HEADER.operation.get(header, 0);
        return switch ((int) operation) {
            case FLUSH_ID -> FLUSH.unpack(header);
            case APPEND_ID -> APPEND.unpack(header);
            case SCATTER_ID -> SCATTER.unpack(header);
            default ->
                throw new CodecException(
                        "urom_rdmo_hdr.op_id",
                        HEADER.operation.offset(),
                        operation + " is none of 0 (flush), 1 (append), 2 (scatter)");
        };
    }

    private static StructCodec<Flush> flush() {
        StructBuilder<Flush> struct = StructBuilder.struct("urom_rdmo_flush_hdr");
        var header = Header.of(struct, FLUSH_ID);
        var flushId = struct.u64("flush_id", Flush::flushId);
        return struct.codec(in -> new Flush(header.client.get(in), header.flags.get(in), flushId.get(in)));
    }

    private static StructCodec<Append> append() {
        StructBuilder<Append> struct = StructBuilder.struct("urom_rdmo_append_hdr");
        var header = Header.of(struct, APPEND_ID);
        var pointerAddress = struct.u64("ptr_addr", Append::pointerAddress);
        var pointerKey = struct.u64("ptr_rkey", Append::pointerKey);
        var dataKey = struct.u64("data_rkey", Append::dataKey);
        return struct.codec(in -> new Append(
                header.client.get(in),
                header.flags.get(in),
                pointerAddress.get(in),
                pointerKey.get(in),
                dataKey.get(in)));
    }

    private static StructCodec<Scatter> scatter() {
        StructBuilder<Scatter> struct = StructBuilder.struct("urom_rdmo_scatter_hdr");
        var header = Header.of(struct, SCATTER_ID);
        var count = struct.u64("count", Scatter::count);
        return struct.codec(in -> new Scatter(header.client.get(in), header.flags.get(in), count.get(in)));
    }

    private static StructCodec<ScatterVector> vector() {
        StructBuilder<ScatterVector> struct = StructBuilder.struct("urom_rdmo_scatter_iov");
        var address = struct.u64("addr", ScatterVector::address);
        var key = struct.u64("rkey", ScatterVector::key);
        var length = struct.u16("len", vector -> vector.data().byteSize());
        var data = struct.inline("data", ScatterVector::data, length::get);
        return struct.codec(in -> new ScatterVector(address.get(in), key.get(in), data.get(in)));
    }

    private static StructCodec<RdmoResponse.Flushed> flushed() {
        // Packed: the response's own header follows the 4 bytes of urom_rdmo_rsp_hdr without padding.
        StructBuilder<RdmoResponse.Flushed> struct = StructBuilder.packedStruct("urom_rdmo_flush_rsp_hdr");
        var response = struct.u32("rsp_id", flushed -> 0);
        var flushId = struct.u64("flush_id", RdmoResponse.Flushed::flushId);
        return struct.codec(in -> {
            if (response.get(in) != 0) {
                throw new CodecException(
                        "urom_rdmo_rsp_hdr.rsp_id", response.offset(), response.get(in) + " is not 0 (flush)");
            }
            return new RdmoResponse.Flushed(flushId.get(in));
        });
    }

    /** {@code struct urom_rdmo_hdr}, which precedes each operation's own header. */
    private record Header<R extends RdmoRequest>(
            IntegerField<R> client, IntegerField<R> operation, IntegerField<R> flags) {

        static <R extends RdmoRequest> Header<R> of(StructBuilder<R> struct, int operation) {
            return new Header<>(
                    struct.u64("id", RdmoRequest::client),
                    struct.u32("op_id", request -> operation),
                    struct.u32("flags", RdmoRequest::flags));
        }
    }
}
