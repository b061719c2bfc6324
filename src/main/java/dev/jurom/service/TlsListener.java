// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;

/** Listens at a TCP port. A host that has vanished is noticed within half a minute. */
final class TlsListener extends Listener {

    private static final int IDLE_SECONDS = 10;
    private static final int INTERVAL_SECONDS = 5;
    private static final int PROBES = 4;

    private final ServerSocket socket;
    private final ListenAddress.Tls address;
    private final Consumer<Socket> taker;

    private TlsListener(ServerSocket socket, ServiceLog log, Consumer<Socket> taker) {
        super(log);
        this.socket = socket;
        this.address = new ListenAddress.Tls((InetSocketAddress) socket.getLocalSocketAddress());
        this.taker = taker;
    }

    /**
     * Listens, but does not accept yet.
     *
     * @throws DaemonException if that is not possible
     */
    static TlsListener open(ListenAddress.Tls address, ServiceLog log, Consumer<Socket> taker) {
        try {
            var socket = new ServerSocket();
            try {
                socket.setReuseAddress(true);
                socket.bind(address.socket(), BACKLOG);
                return new TlsListener(socket, log, taker);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        } catch (IOException e) {
            throw new DaemonException("The service cannot listen at " + address + ": "
                    + e.getMessage(), e);
        }
    }

    @Override
    ListenAddress address() {
        return address;
    }

    @Override
    void accept() throws IOException {
        var accepted = socket.accept();
        try {
            accepted.setTcpNoDelay(true);
            accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            accepted.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
            accepted.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
            accepted.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        } catch (IOException e) {
            accepted.close(); // it has gone again
            return;
        }
        taker.accept(accepted);
    }

    @Override
    void stop() throws IOException {
        socket.close();
    }
}
