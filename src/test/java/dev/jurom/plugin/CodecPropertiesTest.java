// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.Command;
import dev.jurom.plugin.MessageKind.Sample;
import dev.jurom.testing.CProgram;
import dev.jurom.testing.CodecLaws;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Tests properties of every message of every codec. */
class CodecPropertiesTest implements CodecLaws {

    private static CProgram twin;

    /** The program of {@code src/test/c/codec}, which packs the messages with C structs. */
    @BeforeContainer
    static void compileTwin() {
        var folder = Command.ROOT.resolve("src/test/c/codec");
        List<Path> sources = Stream.of("codec.c", "graph.c", "sandbox.c", "rdmo.c", "zoo.c")
                .map(folder::resolve)
                .toList();
        var flags = new ArrayList<>(List.of(
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=undefined",
                "-I",
                Command.ROOT.resolve("headers").toString()));
        flags.addAll(Command.flags("ucx"));
        twin = CProgram.compile(sources, flags);
    }

    @AfterContainer
    static void removeTwin() {
        twin.close();
    }

    @Property(tries = 50)
    void packed_bytes_match_the_c_compiler(@ForAll("batches") List<Sample<?>> batch) {
        var inC = twin.run(batch.stream().map(Sample::text).toList());

        assertEquals(batch.size(), inC.size());
        for (int i = 0; i < batch.size(); i++) {
            assertArrayEquals(
                    HexFormat.of().parseHex(inC.get(i)),
                    batch.get(i).packed(),
                    batch.get(i).toString());
        }
    }

    @Property
    void unpacked_values_match_the_c_compiler(@ForAll("lawfulMessages") Sample<?> sample) {
        var reread = sample.reread(MemorySegment.ofArray(sample.packed()));

        assertEquals(sample.text(), reread.text());
    }

    @Override
    public Arbitrary<Sample<?>> messages() {
        return Arbitraries.oneOf(MessageKind.all().stream()
                        .<Arbitrary<Sample<?>>>map(kind -> kind.samples().map(sample -> sample))
                        .toList())
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<List<Sample<?>>> batches() {
        return messages().list().ofMinSize(50).ofMaxSize(200);
    }
}
