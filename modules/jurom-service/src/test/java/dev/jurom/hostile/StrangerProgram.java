// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody on the network without a key. {@code hold ADDRESS PORT COUNT FROM...}: so many
 * connections from each address, silent until they are closed. {@code flood ADDRESS PORT
 * MILLISECONDS}: one after the other. {@code reach ADDRESS PORT...}: which of the ports are open. {@code drip ADDRESS PORT
 * COUNT}: connections that begin a handshake with a byte now and then.
 */
public final class StrangerProgram {

    private static final int STEP_MILLIS = 100;
    private static final int PATIENCE_MILLIS = 500;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private StrangerProgram() {}

    /** Does what the first argument says. */
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
        socket.connect(to, PATIENCE_MILLIS);
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
        say("holding " + sockets.size());
        awaitEnd(sockets, () -> {});
    }

    private static void awaitEnd(List<Socket> sockets, Runnable step) {
        var begin = System.nanoTime();
        var left = new ArrayList<>(sockets);
        while (!left.isEmpty() && System.nanoTime() - begin < LIMIT.toNanos()) {
            left.removeIf(socket -> !isOpen(socket));
            step.run();
        }
        say("left " + left.size() + " after " + (System.nanoTime() - begin) / 1_000_000 + " ms");
    }

    private static void drip(InetSocketAddress to, int count) throws IOException {
        var sockets = new ArrayList<Socket>();
        for (var i = 0; i < count; i++) {
            sockets.add(connect(to, null));
        }
        say("holding " + sockets.size());
        var last = new long[] {System.nanoTime()};
        awaitEnd(sockets, () -> {
            if (System.nanoTime() - last[0] > STEP_MILLIS * 1_000_000L) {
                last[0] = System.nanoTime();
                sockets.forEach(StrangerProgram::drop);
            }
        });
    }

    /** A byte of a record that is long enough never to be whole. */
    private static void drop(Socket socket) {
        try {
            socket.getOutputStream().write(0x16);
        } catch (IOException e) {
            // It was closed, which is seen elsewhere.
        }
    }

    private static void flood(InetSocketAddress to, Duration time) throws IOException {
        var begin = System.nanoTime();
        var sockets = new ArrayList<Socket>();
        var count = 0;
        say("flooding");
        while (System.nanoTime() - begin < time.toNanos()) {
            try {
                sockets.add(connect(to, null));
                count++;
            } catch (IOException e) {
                // Its backlog is full, or nobody listens just now.
            }
            if (sockets.size() > 500) {
                sockets.removeFirst().close();
            }
        }
        say("flooded " + count);
    }

    private static void reach(InetAddress address, List<String> ports) {
        for (var port : ports) {
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(address, number(port)), PATIENCE_MILLIS);
                say("open " + port);
            } catch (IOException e) {
                say("closed " + port);
            }
        }
    }

    private static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
