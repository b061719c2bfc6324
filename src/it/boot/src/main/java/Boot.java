// SPDX-License-Identifier: Apache-2.0
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.service.EmbeddedService;

/** Uses a plugin in Java that it registers by its class. */
public class Boot {

    public static void main(String[] arguments) throws InterruptedException {
        try (var service = EmbeddedService.open(
                        usual -> usual.toBuilder().plugin(Increment.class).build());
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of("worker_increment"))) {
            System.out.println(
                    worker.call(Increment.NEXT, new Increment.Number(41)).value());
        }
    }
}
