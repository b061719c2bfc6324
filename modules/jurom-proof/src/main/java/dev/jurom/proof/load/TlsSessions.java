// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;

/** Idle sessions over TLS of an authorized host. */
final class TlsSessions implements ClientGroup {

    private static final int TYPE = 3; // the offset in a header
    private static final int WELCOME = 4;
    private static final int CHUNK = 4096;

    private final TlsHost host;
    private final int port;
    private final int count;
    private final List<SSLSocket> sockets = new ArrayList<>();
    private final DisconnectReasons reasons = new DisconnectReasons();

    TlsSessions(TlsHost host, int port, int count) {
        this.host = host;
        this.port = port;
        this.count = count;
    }

    @Override
    public void connect() {
        for (var i = 0; i < count; i++) {
            try {
                sockets.add(enter());
            } catch (IOException e) {
                reasons.count(String.valueOf(e.getMessage()));
            }
        }
    }

    private SSLSocket enter() throws IOException {
        var socket = host.connect(port);
        socket.getOutputStream()
                .write(FrameEncoder.encode(
                        new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
        var header = socket.getInputStream().readNBytes(FrameDecoder.HEADER_SIZE);
        if (header.length < FrameDecoder.HEADER_SIZE || header[TYPE] != WELCOME) {
            socket.close();
            throw new IOException("rejected after the handshake");
        }
        socket.setSoTimeout(1);
        return socket;
    }

    @Override
    public GroupStatus status() throws IOException {
        for (var socket : List.copyOf(sockets)) {
            if (isClosed(socket)) {
                sockets.remove(socket);
                reasons.count("closed by the service");
                socket.close();
            }
        }
        return new GroupStatus("idle sessions over TLS", count, sockets.size(), reasons.reasons(), "");
    }

    private static boolean isClosed(SSLSocket socket) {
        try {
            return socket.getInputStream().read(new byte[CHUNK]) < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void disconnect() {
        for (var socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // The connection is closed already.
            }
        }
        sockets.clear();
        reasons.clear();
    }
}
