// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * The callback that a worker on this machine is executing, for messages about commands that wait. It is read from the
 * counters of the worker (counters.h), to which only its own user has access. Thread-safe.
 */
public final class RunningCallback {

    private static final String COUNTERS = "5"; // the descriptor of a worker: LAUNCHED_COUNTERS in launcher.h
    private static final long MAGIC = 0x544e434d4f52554aL; // JUROMCNT
    private static final int NUMBER_AT = 48;
    private static final int LABEL_AT = 64;
    private static final int LABEL = 128;
    private static final int VALUES_AT = LABEL_AT + LABEL;
    private static final int CALLBACK_AT = VALUES_AT + 14 * Long.BYTES;
    private static final int POLLED_AT = VALUES_AT + 16 * Long.BYTES;
    private static final int SIZE = 384; // of header and values
    private static final int CALLBACKS = 16; // numbers for each plugin
    private static final long AGE_NANOS = 20_000_000;

    /** In the order of enum plugin_callback in plugin.h. */
    private static final List<String> NAMES =
            List.of("open", "close", "addr", "worker_cmd", "progress", "notif_pack", "arm", "host_left", "cancel");

    /** The last reading, which is kept because many commands may exceed their time at once. */
    private record Reading(String text, long nanos) {}

    private final OptionalInt process;
    private final long worker;
    private volatile Reading last = new Reading("", System.nanoTime() - AGE_NANOS);

    /**
     * Reads nothing yet.
     *
     * @param process the process of the worker, if it is on this machine
     * @param worker the id of the worker
     */
    public RunningCallback(OptionalInt process, long worker) {
        this.process = process;
        this.worker = worker;
    }

    /**
     * Describes the callback, if the worker has run it for 20 ms or more. Does not block.
     *
     * @return part of a sentence, such as {@code ", which has run worker_cmd of the plugin render for 17 s,"}, or an
     *         empty string
     */
    @Override
    public String toString() {
        var now = System.nanoTime();
        var reading = last;
        if (now - reading.nanos >= AGE_NANOS) {
            reading = new Reading(process.isPresent() ? read(process.getAsInt(), now) : "", now);
            last = reading;
        }
        return reading.text;
    }

    private String read(int id, long now) {
        var bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        var path = Path.of("/proc", Integer.toString(id), "fd", COUNTERS);
        if (!Files.isRegularFile(path)) { // another file may block
            return "";
        }
        try (var counters = Files.newByteChannel(path)) {
            while (bytes.hasRemaining() && counters.read(bytes) > 0) {
                continue;
            }
        } catch (IOException e) {
            return ""; // it has ended, or is hidden
        }
        return bytes.hasRemaining() || bytes.getLong(0) != MAGIC || bytes.getLong(NUMBER_AT) != worker
                ? ""
                : text(bytes, now);
    }

    private static String text(ByteBuffer counters, long now) {
        var number = counters.getLong(CALLBACK_AT) - 1;
        var plugins = label(counters).split(",");
        var plugin = number / CALLBACKS;
        var callback = (int) (number % CALLBACKS);
        var nanos = now - counters.getLong(POLLED_AT);
        if (number < 0 || plugin >= plugins.length || callback >= NAMES.size() || nanos < AGE_NANOS) {
            return "";
        }
        return ", which has run " + NAMES.get(callback) + " of the plugin "
                + plugins[(int) plugin].replaceAll("[^\\w-]", "?")
                + " for "
                + Timeout.text(rounded(nanos)) + ",";
    }

    private static Duration rounded(long nanos) {
        var milliseconds = Duration.ofMillis(nanos / 1_000_000);
        return milliseconds.toSeconds() < 10 ? milliseconds : Duration.ofSeconds(milliseconds.toSeconds());
    }

    private static String label(ByteBuffer counters) {
        var bytes = new byte[LABEL];
        counters.get(LABEL_AT, bytes);
        var length = 0;
        while (length < LABEL && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
