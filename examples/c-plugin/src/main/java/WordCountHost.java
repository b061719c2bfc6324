// SPDX-License-Identifier: Apache-2.0
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.service.EmbeddedService;
import java.nio.file.Path;

public final class WordCountHost {

    /** Returns a private service with the plugin, or null if the environment names a service. */
    private static EmbeddedService service() {
        return System.getenv("DOCA_UROM_SERVICE_FILE") != null
                ? null
                : EmbeddedService.open(usual -> usual.toBuilder()
                        .plugins(Path.of("target/native/plugins"))
                        .build());
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (var service = service();
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(WordCount.COUNT.plugin()))) {
            var text = String.join(" ", arguments);
            var answer = worker.call(WordCount.COUNT, WordCount.Command.of(text, ','));
            System.out.println(answer.words() + " words, the longest of " + answer.longest() + " bytes");
        }
    }

    private WordCountHost() {}
}
