// SPDX-License-Identifier: Apache-2.0
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** The host side of the plugin worker_word_count. */
public final class WordCount {

    /** A text, whose words end at blanks and at the separator. */
    public record Command(int separator, MemorySegment text) {

        public static Command of(String text, char separator) {
            return new Command(separator, MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** The number of words, and the bytes of the longest one. */
    public record Answer(long words, long longest) {}

    public static final Offload<Command, Answer> COUNT = Offload.of("worker_word_count", 1, command(), answer());

    static StructCodec<Command> command() {
        StructBuilder<Command> struct = StructBuilder.struct("word_count_command");
        var separator = struct.u8("separator", Command::separator);
        var length = struct.u64("length", command -> command.text().byteSize());
        var text = struct.inline("text", Command::text, length::get);
        return struct.codec(in -> new Command(separator.getInt(in), text.get(in)));
    }

    static StructCodec<Answer> answer() {
        StructBuilder<Answer> struct = StructBuilder.struct("word_count_answer");
        var words = struct.u64("words", Answer::words);
        var longest = struct.u32("longest", Answer::longest);
        return struct.codec(in -> new Answer(words.get(in), longest.get(in)));
    }

    private WordCount() {}
}
