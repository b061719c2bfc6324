// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import dev.jurom.compress.OffloadOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A stream that completes no frame when it is flushed, as Spark's own without {@code compressedContinuousOutputStream}:
 * serializers flush after each record, or whenever a buffer of a few kilobytes is full.
 */
final class TaskOutputStream extends OutputStream {

    private final OffloadOutputStream out;

    TaskOutputStream(OffloadOutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
        out.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
