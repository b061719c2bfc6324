// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ranks;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.sandbox.SandboxPlugin;
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
 * and receives one from each. With {@code rank.port}, it uses TCP as {@code rank.index} of
 * {@code rank.count}, otherwise PMIx. With {@code rank.dies}, it exits when the domain starts its second
 * all-gather.
 */
public final class DomainRank {

    private static final Duration TIMEOUT = Duration.ofSeconds(40);
    private static final byte[] TOKEN = "the token of a test".getBytes();

    private DomainRank() {}

    /** Runs one rank and prints one line about it. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var exchange = exchange();
                var engine = ProgressEngine.create();
                var device = Device.open();
                var service = UromService.create(engine, device)) {
            service.start();
            var plugin = SandboxPlugin.find(service);
            try (var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
                worker.startAndWait(TIMEOUT);
                try (var domain = UromDomain.create(engine, exchange, Map.of((long) exchange.index(), worker))) {
                    domain.startAndWait(TIMEOUT);
                    var received = exchangeMessages(SandboxPlugin.of(worker, plugin, TIMEOUT), exchange);
                    System.out.println("rank " + exchange.index() + " received from " + received);
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
        var count = 0;
        try (var arena = Arena.ofConfined()) {
            for (var other = 0; other < exchange.participants(); other++) {
                sandbox.send(other, exchange.index(), arena.allocateFrom(exchange.index() + " to " + other), TIMEOUT);
            }
        }
        for (var other = 0; other < exchange.participants(); other++) {
            var received = sandbox.receive(other, SandboxPlugin.WHOLE_TAG, 100, TIMEOUT);
            if (received.payload().getString(0).equals(other + " to " + exchange.index())) {
                count++;
            }
        }
        return count;
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
