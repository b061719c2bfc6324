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

/** Sessions over TLS, of a host that the service knows, that do nothing. */
final class TlsSessions implements CrowdPart {

    private static final int TYPE = 3; // its place in a header
    private static final int WELCOME = 4;
    private static final int SOME = 4096;

    private final TlsHost host;
    private final int port;
    private final int count;
    private final List<SSLSocket> sockets = new ArrayList<>();
    private final Ends ends = new Ends();

    TlsSessions(TlsHost host, int port, int count) {
        this.host = host;
        this.port = port;
        this.count = count;
    }

    @Override
    public void gather() {
        for (var i = 0; i < count; i++) {
            try {
                sockets.add(enter());
            } catch (IOException e) {
                ends.count(String.valueOf(e.getMessage()));
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
            throw new IOException("refused after its handshake");
        }
        socket.setSoTimeout(1);
        return socket;
    }

    @Override
    public Standing standing() throws IOException {
        for (var socket : List.copyOf(sockets)) {
            if (hasEnded(socket)) {
                sockets.remove(socket);
                ends.count("closed by the service");
                socket.close();
            }
        }
        return new Standing("idle sessions over TLS", count, sockets.size(), ends.reasons(), "");
    }

    private static boolean hasEnded(SSLSocket socket) {
        try {
            return socket.getInputStream().read(new byte[SOME]) < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void disperse() {
        for (var socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // It has ended.
            }
        }
        sockets.clear();
        ends.clear();
    }
}
