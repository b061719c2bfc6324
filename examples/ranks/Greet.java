// SPDX-License-Identifier: Apache-2.0
import dev.jurom.Sandbox;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.urom.exchange.TcpExchange;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** One of two processes whose workers send a message to each other. */
public class Greet {

    public static void main(String[] arguments) throws Exception {
        var rank = Integer.parseInt(arguments[0]);
        var address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        var token = Files.readAllBytes(Path.of(arguments[3]));
        var timeout = Duration.ofSeconds(30);
        try (var exchange = rank == 0
                        ? TcpExchange.listen(address, 2, token, timeout)
                        : TcpExchange.connect(address, 2, rank, token, timeout);
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(SandboxPlugin.NAME));
                var domain = urom.startDomain(exchange, worker)) {
            var sandbox = Sandbox.of(worker);
            var sent = sandbox.send(1 - rank, 1, ("hello from rank " + rank).getBytes());
            var received = sandbox.receive(1, Sandbox.WHOLE_TAG, 100, timeout).join();
            sent.join();
            System.out.println("rank " + domain.id(worker) + " received: "
                    + new String(received.payload().toArray(ValueLayout.JAVA_BYTE)));
            exchange.allGather(new byte[1], timeout); // both have received their message
        }
    }
}
