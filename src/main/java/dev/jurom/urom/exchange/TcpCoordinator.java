// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Participant 0: lets the others in, collects their blocks and gives all of them to each. */
final class TcpCoordinator extends TcpExchange {

    /** How many may be proving themselves at a time; the others wait in the listener's queue. */
    private static final int MOST_ARRIVALS = 64;

    private final ServerSocketChannel listener;
    private final InetSocketAddress address;
    private final List<TcpArrival> arrivals = new ArrayList<>();
    private final TcpLink[] members; // by index; null: not here yet, or this one
    private final byte[][] blocks; // of the all-gather that is outstanding; null: not here yet
    /** All of them, on their way to the others; null: some are missing. */
    private byte @Nullable [] gathered;

    private TcpCoordinator(
            ServerSocketChannel listener, InetSocketAddress address, int participants, byte[] token, Duration timeout) {
        super(participants, 0, token, timeout);
        this.listener = listener;
        this.address = address;
        this.members = new TcpLink[participants];
        this.blocks = new byte[participants][];
    }

    static TcpCoordinator open(InetSocketAddress address, int participants, byte[] token, Duration timeout) {
        try {
            var listener = ServerSocketChannel.open();
            try {
                listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                listener.configureBlocking(false);
                listener.bind(address);
                return new TcpCoordinator(
                        listener, (InetSocketAddress) listener.getLocalAddress(), participants, token, timeout);
            } catch (IOException | RuntimeException e) {
                listener.close();
                throw e;
            }
        } catch (IOException e) {
            throw new ExchangeException(
                    DocaError.IO_FAILED, "Participant 0 cannot listen at " + address + ": " + e.getMessage(), e);
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    void begun(byte[] block) {
        blocks[0] = block;
        gathered = null;
    }

    @Override
    byte @Nullable [] advance() throws IOException {
        letIn();
        if (gathered == null) {
            collect();
        }
        return gathered != null && send() ? gathered : null;
    }

    private void letIn() throws IOException {
        while (arrivals.size() < MOST_ARRIVALS) {
            var channel = listener.accept();
            if (channel == null) {
                break;
            }
            arrivals.add(new TcpArrival(new TcpLink(channel), secret));
        }
        arrivals.removeIf(this::welcome);
    }

    /** Whether a newcomer is one no more: it is a participant now, or was turned away. */
    private boolean welcome(TcpArrival arrival) {
        switch (arrival.advance()) {
            case ARRIVING -> {
                return false;
            }
            case REFUSED -> {
                return true;
            }
            case PROVED -> {}
        }
        var problem = problem(arrival);
        if (problem == null) {
            members[arrival.index()] = arrival.link();
        } else {
            arrival.refuse(problem);
        }
        return true;
    }

    private @Nullable String problem(TcpArrival arrival) {
        if (arrival.participants() != participants()) {
            return "participant " + arrival.index() + " counts on " + arrival.participants()
                    + " participants and participant 0 on " + participants();
        }
        if (arrival.index() < 1 || arrival.index() >= participants()) {
            return "there is no participant " + arrival.index() + " that connects";
        }
        return members[arrival.index()] == null
                ? null
                : "participant " + arrival.index() + " has joined already: each needs its own" + " index";
    }

    private void collect() throws IOException {
        var length = blocks[0].length;
        for (var i = 1; i < members.length; i++) {
            if (members[i] != null && blocks[i] == null) {
                blocks[i] = receive(i, length);
            }
        }
        for (var block : blocks) {
            if (block == null) {
                return;
            }
        }
        gathered = new byte[Math.multiplyExact(length, blocks.length)];
        for (var i = 0; i < blocks.length; i++) {
            System.arraycopy(blocks[i], 0, gathered, i * length, length);
            blocks[i] = null;
        }
        for (var i = 1; i < members.length; i++) {
            members[i].send(TcpFrame.of(TcpFrame.BLOCKS, gathered));
        }
    }

    private byte @Nullable [] receive(int index, int length) {
        try {
            var frame = members[index].receive(TcpFrame.BLOCK, length);
            return frame == null ? null : frame.rest();
        } catch (TcpProtocolException e) {
            throw failed(
                    DocaError.INVALID_VALUE,
                    "Participant " + index + " of " + participants() + " does not fit: " + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw gone(index, e);
        }
    }

    /** Whether all have been sent everything. */
    private boolean send() {
        var all = true;
        for (var i = 1; i < members.length; i++) {
            try {
                all &= members[i].flush();
            } catch (IOException e) {
                throw gone(i, e);
            }
        }
        return all;
    }

    private ExchangeException gone(int index, IOException why) {
        return failed(
                DocaError.CONNECTION_RESET,
                "Participant " + index + " of " + participants() + " is gone"
                        + (why instanceof EOFException ? "" : ": " + why.getMessage()),
                why);
    }

    @Override
    String missing() {
        if (gathered != null) {
            return "the others to take their blocks";
        }
        return IntStream.range(1, members.length)
                .filter(i -> blocks[i] == null)
                .mapToObj(i -> "participant " + i + (members[i] == null ? " to join" : " to give its block"))
                .collect(Collectors.joining(", "));
    }

    @Override
    void leave(String why) {
        for (var member : members) {
            if (member != null) {
                tell(member, why);
                member.close();
            }
        }
        arrivals.forEach(arrival -> arrival.link().close());
        try {
            listener.close();
        } catch (IOException e) {
            return; // it is closed for us in any case
        }
    }

    /** Tells a participant why this is over, as far as that can be done at once. */
    static void tell(TcpLink link, String why) {
        try {
            link.send(TcpFrame.failure(why));
            link.flush();
        } catch (IOException e) {
            return; // it will see that the connection ends
        }
    }
}
