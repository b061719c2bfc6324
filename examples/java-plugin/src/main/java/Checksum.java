// SPDX-License-Identifier: Apache-2.0
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import java.lang.foreign.MemorySegment;

public final class Checksum {

    public record Request(MemorySegment bytes) {}

    public record Answer(long crc) {}

    public static final StructCodec<Request> REQUEST = request();
    public static final StructCodec<Answer> ANSWER = answer();
    public static final Offload<Request, Answer> CRC32C = Offload.of("worker_checksum", 1, REQUEST, ANSWER);

    private static StructCodec<Request> request() {
        StructBuilder<Request> struct = StructBuilder.struct("checksum_request");
        var length = struct.u64("length", request -> request.bytes().byteSize());
        var bytes = struct.inline("bytes", Request::bytes, length::get);
        return struct.codec(in -> new Request(bytes.get(in)));
    }

    private static StructCodec<Answer> answer() {
        StructBuilder<Answer> struct = StructBuilder.struct("checksum_answer");
        var crc = struct.u32("crc", Answer::crc);
        return struct.codec(in -> new Answer(crc.get(in)));
    }

    private Checksum() {}
}
