// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.OtherThread;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The example in the Javadoc of the package. */
class ExchangeExampleTest {

    private static final byte[] TOKEN = "random bytes, 16 or more".getBytes();
    private static final Duration TIMEOUT = Participants.DEADLINE;

    @Test
    void participants_of_two_processes_greet_each_other() throws InterruptedException {
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var address = new CompletableFuture<InetSocketAddress>();
        var second = OtherThread.start("second", () -> greetFrom1(address.join()));

        assertEquals(List.of("hello from 0", "hello from 1"), texts(greetFrom0(anyPort, address::complete)));
        assertEquals(List.of("hello from 0", "hello from 1"), texts(OtherThread.run("end of second", second::join)));
    }

    private static List<byte[]> greetFrom0(InetSocketAddress any, Consumer<InetSocketAddress> invite)
            throws InterruptedException {
        // @start region="listen"
        try (var exchange = TcpExchange.listen(any, 2, TOKEN, TIMEOUT)) {
            invite.accept(exchange.address()); // with the token, in a way that can be trusted
            return exchange.allGatherAny("hello from 0".getBytes(), TIMEOUT);
        }
        // @end
    }

    private static List<byte[]> greetFrom1(InetSocketAddress address) throws InterruptedException {
        // @start region="connect"
        try (var exchange = TcpExchange.connect(address, 2, 1, TOKEN, TIMEOUT)) {
            return exchange.allGatherAny("hello from 1".getBytes(), TIMEOUT);
        }
        // @end
    }

    private static List<String> texts(List<byte[]> greetings) {
        return greetings.stream().map(String::new).toList();
    }
}
