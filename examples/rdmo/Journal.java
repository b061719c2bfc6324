// SPDX-License-Identifier: Apache-2.0
import dev.jurom.RdmoInvitation;
import dev.jurom.RdmoTarget;
import dev.jurom.RdmoWriter;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.TcpExchange;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A process with a journal in its memory, or a process that writes to that journal. */
public class Journal {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long POINTER = 0; // offset of the pointer, which has 8 bytes
    private static final long TEXT = 8;
    private static final long COUNT = 4088;

    public static void main(String[] arguments) throws Exception {
        var address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        var token = Files.readAllBytes(Path.of(arguments[3]));
        if (arguments[0].equals("target")) {
            try (var exchange = TcpExchange.listen(address, 2, token, TIMEOUT)) {
                serve(exchange);
            }
        } else {
            try (var exchange = TcpExchange.connect(address, 2, 1, token, TIMEOUT)) {
                write(exchange);
            }
        }
    }

    private static void serve(OutOfBandExchange exchange) throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(RdmoPlugin.NAME));
                var target = RdmoTarget.open(worker, 4096)) {
            target.setPointer(POINTER, TEXT);
            var introduction = exchange.allGatherAny(new byte[0], TIMEOUT).get(1);
            exchange.allGatherAny(target.invite(introduction).toBytes(), TIMEOUT);
            exchange.allGather(new byte[1], TIMEOUT); // the writer has flushed
            System.out.println("the journal: " + target.memory().getString(TEXT) + "and "
                    + target.memory().get(ValueLayout.JAVA_BYTE, COUNT) + " lines by count");
        }
    }

    private static void write(OutOfBandExchange exchange) throws InterruptedException {
        try (var writer = RdmoWriter.open()) {
            exchange.allGatherAny(writer.introduction(), TIMEOUT);
            var invitation = exchange.allGatherAny(new byte[0], TIMEOUT).get(0);
            writer.connect(RdmoInvitation.of(invitation));
            writer.append(POINTER, "opened, ".getBytes());
            writer.append(POINTER, "written, ".getBytes());
            writer.write(COUNT, new byte[] {2});
            writer.flush().join();
            exchange.allGather(new byte[1], TIMEOUT);
        }
    }
}
