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
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Connections that say what is no frame, as fast as they are heard: to the service's Unix socket from
 * the first byte, behind a HELLO, and as a frame that promises much; to its TLS port; and to workers'
 * sockets. One that is closed is opened again at once. A thread of its own writes, and takes no
 * time while nobody hears; the methods are for one other.
 */
final class Garbage implements CrowdPart {

    private static final List<String> OTHER_SIDES =
            List.of("the service", "the service", "the service", "the TLS port", "a worker");
    private static final int KINDS = OTHER_SIDES.size();
    private static final int CHUNK = 65536;
    private static final long SEED = 14;
    private static final long PAUSE_MS = 10; // when nobody hears
    private static final long PATIENCE_MS = 20_000;
    private static final byte[] PROMISE = {0x4A, 0x55, 3, 6, 0, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0};

    private final SocketAddress service;
    private final SocketAddress tls;
    private final Path workers;
    private final int count;
    private final Random random = new Random(SEED);
    private final byte[] noise = new byte[2 * CHUNK];
    private final Ends ends = new Ends();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong open = new AtomicLong();
    private volatile boolean stops;
    private Thread thread;
    private long begun;

    /** Garbage for a service; {@code workers} is the directory of its workers' sockets. */
    Garbage(SocketAddress service, SocketAddress tls, Path workers, int count) {
        this.service = service;
        this.tls = tls;
        this.workers = workers;
        this.count = count;
        random.nextBytes(noise);
        Arrays.fill(noise, 0, 2, (byte) 0xFF); // never the magic of a frame
    }

    @Override
    public void gather() {
        stops = false;
        bytes.set(0);
        opened.set(0);
        begun = System.nanoTime();
        thread = Thread.ofPlatform().name("garbage").daemon().start(this::run);
    }

    /** One that is opened again and again. */
    private static final class Place {
        private final int kind;
        private RawConnection connection; // null: to be opened

        Place(int kind) {
            this.kind = kind;
        }
    }

    private void run() {
        var places =
                IntStream.range(0, count).mapToObj(i -> new Place(i % KINDS)).toList();
        try (var selector = Selector.open()) {
            while (!stops) {
                for (var place : places) {
                    if (place.connection == null) {
                        begin(place, selector);
                    }
                }
                selector.select(key -> step((Place) key.attachment()), PAUSE_MS);
            }
        } catch (IOException e) {
            ends.count("the attacker: " + e);
        } finally {
            places.forEach(this::close);
        }
    }

    private void step(Place place) {
        var from = random.nextInt(CHUNK);
        bytes.addAndGet(place.connection.say(ByteBuffer.wrap(noise, from, CHUNK)));
        if (place.connection.hasEnded()) {
            ends.count("closed by " + OTHER_SIDES.get(place.kind));
            close(place);
        }
    }

    private void begin(Place place, Selector selector) {
        try {
            var connection = RawConnection.open(
                    switch (place.kind) {
                        case 3 -> tls;
                        case 4 -> anyWorker();
                        default -> service;
                    });
            place.connection = connection;
            opened.incrementAndGet();
            open.incrementAndGet();
            if (place.kind == 1) {
                connection.say(PROMISE);
            } else if (place.kind == 2) {
                connection.say(FrameEncoder.encode(
                        new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
            }
            connection.register(selector, place);
        } catch (IOException e) {
            ends.count("not connected to " + OTHER_SIDES.get(place.kind) + ": " + e.getMessage());
            close(place);
        }
    }

    private SocketAddress anyWorker() throws IOException {
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(workers, "w-" + "[0-9a-f]".repeat(16))) {
            var all = new ArrayList<Path>();
            sockets.forEach(all::add);
            return all.isEmpty() ? service : UnixDomainSocketAddress.of(all.get(random.nextInt(all.size())));
        }
    }

    private void close(Place place) {
        if (place.connection == null) {
            return;
        }
        open.decrementAndGet();
        try {
            place.connection.close();
        } catch (IOException e) {
            // It has ended.
        }
        place.connection = null;
    }

    @Override
    public Standing standing() {
        var seconds = (System.nanoTime() - begun) / 1e9;
        return new Standing(
                "garbage",
                count,
                (int) open.get(),
                ends.reasons(),
                String.format(
                        java.util.Locale.ROOT,
                        "%d connections, %.1f MiB, %.1f MiB/s",
                        opened.get(),
                        bytes.get() / 1048576.0,
                        bytes.get() / 1048576.0 / seconds));
    }

    @Override
    public void disperse() throws InterruptedException {
        stops = true;
        if (thread != null) {
            thread.join(PATIENCE_MS);
        }
        ends.clear();
    }
}
