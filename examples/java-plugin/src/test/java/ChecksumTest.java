// SPDX-License-Identifier: Apache-2.0
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.testing.CodecLaws;
import dev.jurom.testing.EmbeddedServiceExtension;
import dev.jurom.testing.InProcessPlugin;
import dev.jurom.testing.TestMessage;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChecksumTest implements CodecLaws {

    @RegisterExtension
    static final EmbeddedServiceExtension SERVICE = new EmbeddedServiceExtension(
            usual -> usual.toBuilder().plugin(ChecksumPlugin.class).build());

    private static Checksum.Request request(byte[] bytes) {
        return new Checksum.Request(MemorySegment.ofArray(bytes));
    }

    @Override
    public Arbitrary<TestMessage> messages() {
        return TestMessage.of(
                Checksum.REQUEST,
                Arbitraries.bytes().array(byte[].class).ofMaxSize(100).map(ChecksumTest::request));
    }

    @Override
    public Arbitrary<TestMessage> responses() {
        return TestMessage.of(
                Checksum.ANSWER, Arbitraries.longs().between(0, 0xFFFF_FFFFL).map(Checksum.Answer::new));
    }

    @Property
    void the_plugin_computes_the_crc_of_any_bytes(@ForAll @Size(max = 4000) byte[] bytes) throws Exception {
        var expected = new CRC32C();
        expected.update(bytes);

        try (var plugin = InProcessPlugin.open(new ChecksumPlugin())) {
            assertEquals(
                    expected.getValue(),
                    plugin.call(Checksum.CRC32C, request(bytes)).crc());
        }
    }

    @Test
    void a_worker_runs_the_plugin() throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(Checksum.CRC32C.plugin()))) {
            assertEquals(
                    0xe306_9283L,
                    worker.call(Checksum.CRC32C, request("123456789".getBytes()))
                            .crc());
        }
    }
}
