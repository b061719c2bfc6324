// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Connections that send garbage as fast as the other side reads it: to the service's Unix socket from the
 * first byte, after HELLO, and as the body of a large frame; to its TLS port; and to the sockets of workers.
 * A closed connection is reopened immediately. One thread writes, and blocks while no connection is writable;
 * the methods are called by one other thread.
 */
final class GarbageClients extends ClientGroup {

    private static final List<String> OTHER_SIDES =
            List.of("the service", "the service", "the service", "the TLS port", "a worker");
    private static final int KINDS = OTHER_SIDES.size();
    private static final int CHUNK = 65536;
    private static final long SEED = 14;
    private static final long PAUSE_MS = 10; // when no connection is writable
    private static final long PATIENCE_MS = 20_000;
    private static final byte[] LARGE_HEADER = {0x4A, 0x55, 3, 6, 0, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0};

    private final SocketAddress service;
    private final SocketAddress tls;
    private final Path workers;
    private final Random random = new Random(SEED);
    private final byte[] noise = new byte[2 * CHUNK];
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong open = new AtomicLong();
    private volatile boolean stops;
    private Thread thread;
    private long start;

    /** Creates the connections; {@code workers} is the directory of the workers' sockets. */
    GarbageClients(SocketAddress service, SocketAddress tls, Path workers, int count) {
        super("garbage", count);
        this.service = service;
        this.tls = tls;
        this.workers = workers;
        random.nextBytes(noise);
        Arrays.fill(noise, 0, 2, (byte) 0xFF); // never the magic of a frame
    }

    @Override
    void connect() {
        stops = false;
        bytes.set(0);
        opened.set(0);
        start = System.nanoTime();
        thread = Thread.ofPlatform().name("garbage").daemon().start(this::run);
    }

    /** A connection that is reopened when it is closed. */
    private static final class Slot {
        private final int kind;
        private RawConnection connection; // null when it must be opened

        Slot(int kind) {
            this.kind = kind;
        }
    }

    private void run() {
        var slots = IntStream.range(0, requested())
                .mapToObj(i -> new Slot(i % KINDS))
                .toList();
        try (var selector = Selector.open()) {
            while (!stops) {
                for (var slot : slots) {
                    if (slot.connection == null) {
                        begin(slot, selector);
                    }
                }
                selector.select(key -> step((Slot) key.attachment()), PAUSE_MS);
            }
        } catch (IOException e) {
            count("the garbage thread failed: " + e);
        } finally {
            slots.forEach(this::close);
        }
    }

    private void step(Slot slot) {
        var from = random.nextInt(CHUNK);
        bytes.addAndGet(slot.connection.send(ByteBuffer.wrap(noise, from, CHUNK)));
        if (slot.connection.isClosed()) {
            count("closed by " + OTHER_SIDES.get(slot.kind));
            close(slot);
        }
    }

    private void begin(Slot slot, Selector selector) {
        try {
            var connection = RawConnection.open(
                    switch (slot.kind) {
                        case 3 -> tls;
                        case 4 -> anyWorker();
                        default -> service;
                    });
            slot.connection = connection;
            opened.incrementAndGet();
            open.incrementAndGet();
            if (slot.kind == 1) {
                connection.send(LARGE_HEADER);
            } else if (slot.kind == 2) {
                connection.send(FrameEncoder.encode(
                        new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
            }
            connection.register(selector, slot);
        } catch (IOException e) {
            count("not connected to " + OTHER_SIDES.get(slot.kind) + ": " + e.getMessage());
            close(slot);
        }
    }

    private SocketAddress anyWorker() throws IOException {
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(workers, "w-" + "[0-9a-f]".repeat(16))) {
            var all = new ArrayList<Path>();
            sockets.forEach(all::add);
            return all.isEmpty() ? service : UnixDomainSocketAddress.of(all.get(random.nextInt(all.size())));
        }
    }

    private void close(Slot slot) {
        if (slot.connection == null) {
            return;
        }
        open.decrementAndGet();
        try {
            slot.connection.close();
        } catch (IOException e) {
            // The connection is closed already.
        }
        slot.connection = null;
    }

    @Override
    int open() {
        return (int) open.get();
    }

    @Override
    String note() {
        var seconds = (System.nanoTime() - start) / 1e9;
        var mebibytes = bytes.get() / 1048576.0;
        return String.format(
                Locale.ROOT, "%d connections, %.1f MiB, %.1f MiB/s", opened.get(), mebibytes, mebibytes / seconds);
    }

    @Override
    void disconnect() throws InterruptedException {
        stops = true;
        if (thread != null) {
            thread.join(PATIENCE_MS);
        }
    }
}
