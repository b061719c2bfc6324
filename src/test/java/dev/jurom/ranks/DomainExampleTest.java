// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ranks;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples of the documentation. */
class DomainExampleTest {

    private static final Duration TIMEOUT = DEADLINE;

    // @start region="domain"
    /** Rank 0 sends to rank 1, or to itself if it is the only rank. */
    static String greet(ProgressEngine engine, UromService service, OutOfBandExchange exchange) {
        var rank = exchange.index();
        var last = exchange.participants() - 1;
        var plugin = SandboxPlugin.find(service);
        try (var arena = Arena.ofConfined();
                var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
            worker.startAndWait(TIMEOUT);
            try (var domain = UromDomain.create(engine, exchange, Map.of((long) rank, worker))) {
                domain.startAndWait(TIMEOUT);
                var sandbox = SandboxPlugin.of(worker, plugin, TIMEOUT);
                if (rank == 0) {
                    sandbox.send(last, 1, arena.allocateFrom("hello"), TIMEOUT);
                }
                return rank == last
                        ? sandbox.receive(1, SandboxPlugin.WHOLE_TAG, 100, TIMEOUT)
                                .payload()
                                .getString(0)
                        : "";
            }
        }
    }
    // @end

    @Test
    void the_example_of_a_domain_greets() {
        try (var fixture = ServiceFixture.open();
                var exchange = ThreadExchange.open(1).getFirst()) {
            assertEquals("hello", greet(fixture.engine(), fixture.service(), exchange));
        }
    }

    @Test
    void the_example_of_rdmo_writes() {
        try (var fixture = ServiceFixture.open();
                var worker = UromWorker.create(fixture.engine(), fixture.service())
                        .setPlugins(RdmoPlugin.find(fixture.service()))) {
            worker.startAndWait(TIMEOUT);
            var plugin = RdmoPlugin.find(fixture.service());
            // @start region="rdmo"
            try (var memory = HostMemory.open();
                    var arena = Arena.ofConfined();
                    var region = memory.share(arena.allocate(1024, 8));
                    var peer = RdmoPeer.open()) { // usually in another process
                // The target: the first 8 bytes contain the address of the next append.
                region.memory().set(ValueLayout.JAVA_LONG, 0, region.address() + 8);
                var rdmo = RdmoPlugin.of(worker, plugin);
                var address = rdmo.initializeClient(1, memory, TIMEOUT);
                var key = rdmo.register(region, TIMEOUT);
                rdmo.createReceiveQueue(peer.address(), TIMEOUT);

                // The peer, which has received the address, the client id, the key and the memory address.
                peer.connect(address, 1);
                peer.append(region.address(), key, key, MemorySegment.ofArray(new byte[] {42}), 0);
                peer.flush(TIMEOUT);

                rdmo.deregister(key, TIMEOUT);
                assertEquals(42, region.memory().get(ValueLayout.JAVA_BYTE, 8));
            }
            // @end
        }
    }
}
