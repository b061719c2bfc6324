// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Fuzz target: a counters file with any content, which must be displayed or rejected with an IOException. */
public final class CounterFileFuzz {

    private static final Path FILE = temporary();

    private CounterFileFuzz() {}

    private static Path temporary() {
        try {
            var file = Files.createTempFile("jurom-fuzz", CounterDirectory.ENDING);
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Executes an input: a complete file if the first byte is even, otherwise changes to a valid file. */
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            Files.write(FILE, input.length > 0 && (input[0] & 1) != 0 ? changed(input) : input);
            show(CounterFile.read(FILE));
        } catch (IOException e) {
            if (e.getMessage() == null) {
                throw new AssertionError("the exception has no message", e);
            }
        }
    }

    /**
     * Returns a valid file of one of the kinds, with changes of 8 bytes each at the 16-bit offsets that
     * precede them.
     */
    private static byte[] changed(byte[] input) {
        var bytes = new byte[CounterLayout.SIZE];
        var file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(0, CounterLayout.MAGIC);
        file.putInt(CounterLayout.VERSION_AT, CounterLayout.VERSION);
        file.putLong(CounterLayout.SIZE_AT, CounterLayout.SIZE);
        file.putInt(CounterLayout.KIND_AT, (input[0] & 0xFF) >> 1 & 3);
        file.putLong(CounterLayout.PROCESS_AT, 1);
        file.putLong(CounterLayout.TICKS_AT, 1 << 20);
        for (var at = 1; at + 10 <= input.length; at += 10) {
            var offset = (input[at] & 0xFF) + ((input[at + 1] & 0xFF) << 8);
            System.arraycopy(input, at + 2, bytes, offset % (bytes.length - 7), 8);
        }
        return bytes;
    }

    private static void show(CounterFile file) {
        var shown = file.kind() + " " + file.process() + file.isAlive() + file.began() + file.number() + file.label()
                + file.inFlight() + file.errors();
        if (shown.chars().anyMatch(c -> c < ' ')) {
            throw new AssertionError("the text contains control characters: " + shown);
        }
        Arrays.stream(Counter.values())
                .filter(counter -> counter.kind() == file.kind())
                .forEach(file::value);
        var latency = file.latency();
        for (var percentile : new double[] {50, 99, 99.9}) {
            latency.percentile(percentile);
        }
    }
}
