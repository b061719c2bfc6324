// SPDX-License-Identifier: Apache-2.0
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.service.EmbeddedService;
import java.lang.foreign.MemorySegment;

public final class ChecksumHost {

    public static void main(String[] arguments) throws InterruptedException {
        var bytes = MemorySegment.ofArray(String.join(" ", arguments).getBytes());
        try (var service = EmbeddedService.open(
                        usual -> usual.toBuilder().plugin(ChecksumPlugin.class).build());
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(Checksum.CRC32C.plugin()))) {
            var answer = worker.call(Checksum.CRC32C, new Checksum.Request(bytes));
            System.out.printf("%x%n", answer.crc());
        }
    }

    private ChecksumHost() {}
}
