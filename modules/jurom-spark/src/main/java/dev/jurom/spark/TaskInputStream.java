// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import dev.jurom.compress.CompressionError;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.OffloadInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * A stream that throws an IOException only for corrupt data. Spark attributes each IOException of a stream to corrupt
 * data, and executes the stage that wrote them again.
 */
final class TaskInputStream extends InputStream {

    private final OffloadInputStream in;
    private final boolean continuous; // ends before an incomplete frame

    TaskInputStream(OffloadInputStream in, boolean continuous) {
        this.in = in;
        this.continuous = continuous;
    }

    @Override
    public int read() throws IOException {
        try {
            return in.read();
        } catch (CompressionException e) {
            return afterFailure(e);
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return in.read(bytes, offset, length);
        } catch (CompressionException e) {
            return afterFailure(e);
        }
    }

    private int afterFailure(CompressionException e) throws CompressionException {
        if (e.error().isOfWorker()) {
            throw new UncheckedIOException(e);
        }
        if (continuous && e.error() == CompressionError.TRUNCATED) {
            return -1;
        }
        throw e;
    }

    @Override
    public int available() {
        return in.available();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
