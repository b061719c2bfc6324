// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/**
 * Round trips of messages between two JVMs over Aeron IPC, the fastest known transport within one machine.
 */
final class AeronMeasurement implements Measurement {

    /** The maximum of Aeron, so that most messages are one fragment. */
    private static final int LONGEST_FRAGMENT = 65504;

    private static final long CLIENT_TIMEOUT = TimeUnit.MINUTES.toNanos(10);

    private final MediaDriver driver;
    private final Peer peer;
    private final AeronEcho echo;
    private final boolean oneByOne;
    private int size;
    private int depth;

    AeronMeasurement(MeasurementOptions options) {
        size = options.size;
        depth = options.depth;
        oneByOne = depth == 1;
        // The driver is not involved in messages and must not compete for the cores.
        driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
                .ipcMtuLength(LONGEST_FRAGMENT)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                .publicationUnblockTimeoutNs(2 * CLIENT_TIMEOUT)
                .clientLivenessTimeoutNs(CLIENT_TIMEOUT)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
        peer = Peer.start("aeron", options);
        peer.write(driver.aeronDirectoryName());
        echo = new AeronEcho(driver.aeronDirectoryName(), options, AeronEcho.REQUESTS, AeronEcho.ANSWERS);
        peer.read();
    }

    @Override
    public void change(String what, int value) {
        if (what.equals("size")) {
            size = value;
        } else {
            depth = value;
        }
    }

    @Override
    public void begin(int warmUp, int count) {
        peer.begin(warmUp + count);
    }

    @Override
    public long run(long[] samples, int count) {
        return oneByOne ? Measurement.each(this::roundTrip, samples, count) : Measurement.stream(this::stream, count);
    }

    private void roundTrip() {
        echo.send(size);
        echo.await();
    }

    private void stream(int count) {
        var sent = 0;
        for (var i = 0; i < count; i++) {
            for (; sent < count && sent < i + depth; sent++) {
                echo.send(size);
            }
            echo.await();
        }
    }

    @Override
    public void close() {
        echo.close();
        peer.close();
        driver.close();
    }
}
