// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.urom.UromService;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Makes the library log an error; prints the output of Java's logging and the number of forwarding threads. */
public final class NativeLogProgram {

    private NativeLogProgram() {}

    /** Waits until a line is logged, or for half a second if none is expected. */
    public static void main(String[] arguments) {
        var log = new ByteArrayOutputStream();
        var before = System.err;
        System.setErr(new PrintStream(log, true)); // the JDK's default logger writes here
        var expected = System.getProperty("jurom.log.level") != null;
        try (var engine = ProgressEngine.create();
                var device = Device.open();
                var service = UromService.create(engine, device)) {
            Environment.remove("DOCA_UROM_SERVICE_FILE");
            service.start();
        } catch (DocaException e) {
            var deadline = System.nanoTime()
                    + Duration.ofMillis(expected ? 10_000 : 500).toNanos();
            while (!log.toString().contains("UROM") && System.nanoTime() < deadline) {
                LockSupport.parkNanos(1_000_000);
            }
        } catch (IllegalArgumentException e) {
            before.println(e.getMessage());
        }
        before.print(log);
        before.println("threads: "
                + Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("jurom-native-log"))
                        .count());
    }
}
