// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/** Messages back and forth between two JVMs over Aeron IPC: the best way within one machine. */
final class AeronMeasurement implements Measurement {

    private static final long CLIENT_TIMEOUT = TimeUnit.MINUTES.toNanos(10);

    private final MediaDriver driver;
    private final Peer peer;
    private final AeronEcho echo;

    AeronMeasurement(MeasurementOptions options) {
        // The driver only arranges things; messages pass it by. It must not take time from others.
        driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                .publicationUnblockTimeoutNs(2 * CLIENT_TIMEOUT)
                .clientLivenessTimeoutNs(CLIENT_TIMEOUT)
                .dirDeleteOnStart(true).dirDeleteOnShutdown(true));
        peer = Peer.start("aeron", options);
        peer.write(driver.aeronDirectoryName());
        echo = new AeronEcho(driver.aeronDirectoryName(), options.size, AeronEcho.REQUESTS,
                AeronEcho.ANSWERS);
        peer.read();
    }

    @Override
    public void begin(int warmUp, int count) {
        peer.begin(warmUp + count);
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.each(this::roundTrip, samples, count);
    }

    private void roundTrip() {
        echo.send();
        echo.await();
    }

    @Override
    public void close() {
        echo.close();
        peer.close();
        driver.close();
    }
}
