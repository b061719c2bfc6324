// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Connections that have not authenticated, all at the same stage. Confined to one thread.
 *
 * <p>They share a table, by the same rule as {@code pending_hellos.h}. Each belongs to a network: an IPv4 address, or the
 * 64-bit prefix of an IPv6 address. When the table is full, a new connection displaces a random one of the
 * network that has most. So a network with few connections loses none, and all connections of a network are
 * equally likely to be displaced. Displacing the oldest first would let a flood keep out all distant hosts.
 */
final class PendingConnections {

    /** A connection and its index in its table. */
    static final class PendingConnection {
        private final SocketChannel channel;
        private final long deadline;
        private final int network;
        private int index;

        private PendingConnection(SocketChannel channel, int network, long deadline) {
            this.channel = channel;
            this.network = network;
            this.deadline = deadline;
        }

        SocketChannel channel() {
            return channel;
        }
    }

    /** Number of counters; networks that share a counter count as one. */
    private static final int NETWORKS = 1024;

    private static final int SHARES = 8;
    private static final int NETWORK_BYTES = 8;
    /** Random factor of the hash of networks, so that clients cannot choose their counter. */
    private static final long FACTOR = new SecureRandom().nextLong() | 1;

    private final int limit;
    private final List<PendingConnection> all = new ArrayList<>();
    private final int[] networks = new int[NETWORKS];
    private final SplittableRandom random = new SplittableRandom();

    PendingConnections(int limit) {
        this.limit = limit;
    }

    /**
     * Creates a connection that is in no table yet.
     *
     * @param deadline when it must have authenticated, in the time of {@link System#nanoTime}
     */
    static PendingConnection of(SocketChannel channel, SocketAddress address, long deadline) {
        var bytes = ((InetSocketAddress) address).getAddress().getAddress();
        var network = ByteBuffer.wrap(Arrays.copyOf(bytes, NETWORK_BYTES)).getLong();
        return new PendingConnection(channel, (int) (network * FACTOR >>> 32) & NETWORKS - 1, deadline);
    }

    int size() {
        return all.size();
    }

    /**
     * Returns whether to reject a connection at once. During a flood, most connections of a network that
     * exceeds its share are rejected. Otherwise the kernel drops some before they are accepted, and their hosts
     * notice that a second later.
     */
    boolean refuses(PendingConnection pending) {
        return networks[pending.network] > limit / SHARES && random.nextInt(SHARES) > 0;
    }

    /** Adds a connection; returns the one that it displaces, or null. */
    @Nullable
    PendingConnection add(PendingConnection pending) {
        var victim = all.size() < limit ? null : chooseVictim();
        if (victim != null) {
            remove(victim);
        }
        pending.index = all.size();
        all.add(pending);
        networks[pending.network]++;
        return victim;
    }

    private PendingConnection chooseVictim() {
        var chosen = all.getFirst();
        var most = 0;
        var equals = 0;
        for (var pending : all) {
            var number = networks[pending.network];
            if (number > most) {
                most = number;
                equals = 0;
            }
            if (number == most && random.nextInt(++equals) == 0) {
                chosen = pending;
            }
        }
        return chosen;
    }

    /** Removes a connection of a random network, each with the same probability. The table must not be empty. */
    PendingConnection take() {
        var chosen = all.getFirst();
        var sum = 0.0;
        for (var pending : all) {
            var weight = 1.0 / networks[pending.network];
            sum += weight;
            if (random.nextDouble() * sum < weight) {
                chosen = pending;
            }
        }
        remove(chosen);
        return chosen;
    }

    /** Removes a connection. */
    void remove(PendingConnection pending) {
        var last = all.removeLast();
        if (last != pending) {
            all.set(pending.index, last);
            last.index = pending.index;
        }
        networks[pending.network]--;
    }

    /** Removes and returns the connections whose deadline has passed. */
    List<PendingConnection> removeLate(long now) {
        var late = all.stream().filter(pending -> pending.deadline - now <= 0).toList();
        late.forEach(this::remove);
        return late;
    }
}
