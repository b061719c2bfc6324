// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import java.lang.foreign.MemorySegment;

/**
 * A command of the plugin {@code worker_compress}: {@code struct urom_worker_compress_cmd}.
 *
 * @param type {@link #COMPRESS} or {@link #DECOMPRESS}
 * @param format the number of a format
 * @param level the level of a compression
 * @param flags 1: with a checksum
 * @param capacity the maximum number of bytes of the output
 * @param dictionary the dictionary, or no bytes
 * @param data the input
 */
record CompressCommand(
        int type, int format, int level, int flags, long capacity, MemorySegment dictionary, MemorySegment data) {

    static final String PLUGIN = "worker_compress";
    static final long VERSION = 1;

    /** Bytes of a message before a command: {@code struct urom_worker_cmd}. */
    static final int MESSAGE_HEADER = 24;
    /** Bytes of a message before an answer: {@code struct urom_worker_notify}. */
    static final int NOTIFICATION_HEADER = 32;

    static final int COMPRESS = 0;
    static final int DECOMPRESS = 1;
    static final int CHECKSUM = 1;

    static final StructCodec<CompressCommand> CODEC;
    static final StructCodec<Answer> ANSWER;

    static {
        StructBuilder<CompressCommand> struct = StructBuilder.struct("urom_worker_compress_cmd");
        var type = struct.u64("type", CompressCommand::type);
        var format = struct.u32("format", CompressCommand::format);
        var level = struct.s32("level", CompressCommand::level);
        var flags = struct.u32("flags", CompressCommand::flags);
        struct.u32("reserved", command -> 0);
        var capacity = struct.u64("capacity", CompressCommand::capacity);
        var dictionaryLength =
                struct.u64("dictionary_length", command -> command.dictionary().byteSize());
        var dataLength = struct.u64("data_length", command -> command.data().byteSize());
        var dictionary = struct.inline("dictionary", CompressCommand::dictionary, dictionaryLength::get);
        var data = struct.inline("data", CompressCommand::data, dataLength::get);
        CODEC = struct.codec(in -> new CompressCommand(
                (int) type.get(in),
                (int) format.get(in),
                (int) level.get(in),
                (int) flags.get(in),
                capacity.get(in),
                dictionary.get(in),
                data.get(in)));
    }

    static {
        StructBuilder<Answer> struct = StructBuilder.struct("urom_worker_notify_compress");
        var type = struct.u64("type", Answer::type);
        var result = struct.u32("result", Answer::result);
        struct.u32("reserved", answer -> 0);
        var length = struct.u64("length", answer -> answer.output().byteSize());
        var output = struct.inline("output", Answer::output, length::get);
        ANSWER = struct.codec(in -> new Answer((int) type.get(in), (int) result.get(in), output.get(in)));
    }

    /**
     * An answer: {@code struct urom_worker_notify_compress}.
     *
     * @param type the type of the command
     * @param result {@code enum urom_compress_result}
     * @param output the output; no bytes if the command failed
     */
    record Answer(int type, int result, MemorySegment output) {}

    private static final int FORMAT = 2; // this and the next: values of enum urom_compress_result
    private static final int LEVEL = 3;
    private static final int CORRUPT = 4;
    private static final int TRUNCATED = 5;
    private static final int OUTPUT = 6;
    private static final int DICTIONARY = 7;
    private static final int MEMORY = 8;

    /** Returns the error that the answer to a failed command states. Bytes may follow the struct. */
    static CompressionError error(byte[] response) {
        if (response.length < ANSWER.size()) {
            return CompressionError.WORKER_FAILED;
        }
        var answer = MemorySegment.ofArray(response).asSlice(0, ANSWER.size());
        return switch (ANSWER.unpack(answer).result()) {
            case FORMAT -> CompressionError.UNKNOWN_FORMAT;
            case LEVEL -> CompressionError.INVALID_LEVEL;
            case CORRUPT -> CompressionError.CORRUPT;
            case TRUNCATED -> CompressionError.TRUNCATED;
            case OUTPUT -> CompressionError.OUTPUT_TOO_LARGE;
            case DICTIONARY -> CompressionError.DICTIONARY;
            case MEMORY -> CompressionError.MEMORY;
            default -> CompressionError.WORKER_FAILED;
        };
    }
}
