// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ranks;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.exchange.AllGather;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.PmixExchange;
import dev.jurom.urom.exchange.TcpExchange;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;

/**
 * A process with one worker in a domain: it sends a message to every worker of the domain, including its own,
 * and receives one from each. With {@code rank.port}, it uses TCP as {@code rank.index} of {@code rank.count},
 * otherwise PMIx. With {@code rank.dies}, it exits when the domain starts its second all-gather. With
 * {@code rank.mapped}, it also sends mapped memory to the next rank. Without a service file, it opens a service
 * of its own.
 */
public final class DomainRank {

    /** The number of bytes of a message in mapped memory. */
    static final long MAPPED_SIZE = 65_536;

    private static final long MAPPED_TAG = -1;
    private static final Duration TIMEOUT = Duration.ofSeconds(40);
    private static final byte[] TOKEN = "the token of a test".getBytes();

    private DomainRank() {}

    /** Runs one rank and prints one line about it. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var exchange = exchange();
                var embedded = ServiceFile.named().isPresent() ? null : EmbeddedService.open();
                var engine = ProgressEngine.create();
                var device = Device.open();
                var service = UromService.create(engine, device)) {
            service.start();
            var plugin = SandboxPlugin.find(service);
            try (var mapped = Boolean.getBoolean("rank.mapped") ? Mapped.allocate() : null;
                    var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
                worker.startAndWait(TIMEOUT);
                try (var domain = UromDomain.create(engine, exchange, Map.of((long) exchange.index(), worker))) {
                    domain.startAndWait(TIMEOUT);
                    var sandbox = SandboxPlugin.of(worker, plugin, TIMEOUT);
                    var received = exchangeMessages(sandbox, exchange);
                    System.out.println("rank " + exchange.index() + " received from " + received);
                    if (mapped != null) {
                        System.out.println("rank " + exchange.index() + " received "
                                + passMapped(sandbox, exchange, mapped) + " mapped bytes");
                    }
                    exchange.allGather(new byte[1], TIMEOUT);
                }
            }
        } catch (DocaException e) {
            System.out.println("failed: " + e.getMessage());
        }
    }

    private static OutOfBandExchange exchange() {
        var port = Integer.getInteger("rank.port");
        if (port == null) {
            return PmixExchange.open(TIMEOUT);
        }
        var index = Integer.getInteger("rank.index");
        int count = Integer.getInteger("rank.count");
        var address = new InetSocketAddress("127.0.0.1", port);
        var exchange = index == 0
                ? TcpExchange.listen(address, count, TOKEN, TIMEOUT)
                : TcpExchange.connect(address, count, index, TOKEN, TIMEOUT);
        return Boolean.getBoolean("rank.dies") ? new ExitingExchange(exchange) : exchange;
    }

    /** Returns the number of ranks from which this rank received the correct message. */
    private static int exchangeMessages(SandboxPlugin sandbox, OutOfBandExchange exchange) {
        var correct = 0;
        try (var arena = Arena.ofConfined()) {
            for (var other = 0; other < exchange.participants(); other++) {
                sandbox.send(other, exchange.index(), arena.allocateFrom(exchange.index() + " to " + other), TIMEOUT);
            }
        }
        for (var other = 0; other < exchange.participants(); other++) {
            var received = sandbox.receive(other, SandboxPlugin.WHOLE_TAG, 100, TIMEOUT);
            if (received.payload().getString(0).equals(other + " to " + exchange.index())) {
                correct++;
            }
        }
        return correct;
    }

    /** Sends mapped memory to the next rank; returns the length of the correct message of the previous one. */
    private static long passMapped(SandboxPlugin sandbox, OutOfBandExchange exchange, Mapped mapped) {
        var sent = mapped.sent();
        var room = mapped.room();
        var next = (exchange.index() + 1) % exchange.participants();
        var previous = (exchange.index() + exchange.participants() - 1) % exchange.participants();
        sent.memory().fill((byte) (exchange.index() + 1));
        try (var send = sandbox.task();
                var receive = sandbox.task()) {
            sandbox.fillReceive(
                    receive, MAPPED_TAG, SandboxPlugin.WHOLE_TAG, room.memory(), sandbox.map(room, TIMEOUT));
            receive.submit();
            sandbox.fillSend(send, next, MAPPED_TAG, sent.memory(), sandbox.map(sent, TIMEOUT));
            send.submit();
            sandbox.worker().engine().progressUntil(() -> send.isCompleted() && receive.isCompleted(), TIMEOUT);
            SandboxPlugin.answer(send);
            SandboxPlugin.answer(receive);
            sent.memory().fill((byte) (previous + 1));
            var wrong = room.memory().mismatch(sent.memory());
            return wrong < 0 ? MAPPED_SIZE : wrong;
        }
    }

    /** Memory of this process, which is closed after its worker. */
    private record Mapped(HostMemory memory, HostRegion sent, HostRegion room) implements AutoCloseable {

        static Mapped allocate() {
            var memory = HostMemory.open();
            return new Mapped(memory, memory.allocate(MAPPED_SIZE), memory.allocate(MAPPED_SIZE));
        }

        @Override
        public void close() {
            room.close();
            sent.close();
            memory.close();
        }
    }

    /** An exchange that exits the process at its second use. */
    private static final class ExitingExchange implements OutOfBandExchange {

        private final OutOfBandExchange exchange;
        private boolean used;

        ExitingExchange(OutOfBandExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public int participants() {
            return exchange.participants();
        }

        @Override
        public int index() {
            return exchange.index();
        }

        @Override
        public AllGather begin(byte[] block) {
            if (used) {
                Runtime.getRuntime().halt(9);
            }
            used = true;
            return exchange.begin(block);
        }

        @Override
        public void close() {
            exchange.close();
        }
    }
}
