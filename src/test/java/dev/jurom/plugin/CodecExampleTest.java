// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of the package. */
class CodecExampleTest {

    // @start region="describe"
    /**
     * The command of an imaginary plugin that resizes pictures.
     * {@snippet lang=c :
     * struct resize_cmd {
     *     uint64_t picture;
     *     uint16_t width, height;
     *     char filter[16];
     *     void *pixels; // inline, behind the struct
     *     uint64_t pixels_len;
     * };
     * }
     */
    record Resize(long picture, int width, int height, String filter, MemorySegment pixels) {

        static final StructCodec<Resize> CODEC = codec();

        private static StructCodec<Resize> codec() {
            StructBuilder<Resize> struct = StructBuilder.struct("resize_cmd");
            var picture = struct.u64("picture", Resize::picture);
            var width = struct.u16("width", Resize::width);
            var height = struct.u16("height", Resize::height);
            var filter = struct.text("filter", 16, Resize::filter);
            var pixels = struct.pointerAndLength("pixels", "pixels_len", Resize::pixels);
            return struct.codec(in ->
                    new Resize(picture.get(in), width.getInt(in), height.getInt(in), filter.get(in), pixels.get(in)));
        }
    }
    // @end

    @Test
    void a_record_is_unpacked_as_it_was_packed() {
        MemorySegment payload = MemorySegment.ofArray(new byte[64]);
        MemorySegment pixels = MemorySegment.ofArray(new byte[] {1, 2, 3});

        // @start region="use"
        var resize = new Resize(17, 640, 480, "lanczos", pixels);
        long length = Resize.CODEC.pack(resize, payload);

        Resize received = Resize.CODEC.unpack(payload.asSlice(0, length));
        // @end

        assertEquals(48 + 3, length);
        assertEquals("lanczos", received.filter());
        assertEquals(640, received.width());
        assertArrayEquals(new byte[] {1, 2, 3}, received.pixels().toArray(JAVA_BYTE));
    }

    @Test
    void fields_are_read_one_by_one_without_a_record() {
        // @start region="view"
        StructBuilder<Long> struct = StructBuilder.struct("progress_notify");
        var percent = struct.u8("percent", value -> value);
        var codec = struct.codec(percent::get);
        var view = new MessageView(); // one per thread

        MemorySegment response = MemorySegment.ofArray(new byte[] {42});
        codec.open(response, view); // throws CodecException unless it is a complete message
        long done = percent.get(view);
        // @end

        assertEquals(42, done);
    }
}
