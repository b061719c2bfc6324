// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import dev.jurom.compress.CompressionCounters;
import dev.jurom.compress.OffloadInputStream;
import dev.jurom.compress.OffloadOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.spark.SparkConf;
import org.apache.spark.io.ZStdCompressionCodec;
import org.jspecify.annotations.Nullable;

/**
 * A codec for {@code spark.io.compression.codec} that compresses and decompresses by zstd in UROM workers.
 *
 * <p>Its streams consist of zstd frames, which {@link ZStdCompressionCodec} also reads. It extends that class
 * because Spark merges spills and fetches blocks without decompressing them only for its own codecs and their
 * subclasses.
 *
 * <p>All codecs of a process with the same settings ({@code spark.jurom.*}) share their connection to the service,
 * and the executors of a machine share the workers. Both remain open until the process exits.
 *
 * <p>This class is thread-safe; its streams are not.
 */
public final class OffloadCompressionCodec extends ZStdCompressionCodec {

    private final SparkConf conf;
    private volatile @Nullable CodecSettings settings;

    /**
     * Creates a codec. Does not connect to a service, and does not check the settings: Spark creates codecs by
     * reflection and would report an {@link java.lang.reflect.InvocationTargetException}. Each stream checks them, and
     * {@link OffloadPlugin} does when the application starts.
     *
     * @param conf the configuration of the application
     */
    public OffloadCompressionCodec(SparkConf conf) {
        super(conf);
        this.conf = conf;
    }

    private CodecSettings settings() {
        var known = settings;
        if (known == null) {
            known = CodecSettings.of(conf);
            settings = known;
        }
        return known;
    }

    /**
     * Returns the counters of all codecs of this process.
     *
     * @return the sums of the current counters
     */
    public static CompressionCounters counters() {
        return SharedCompressions.counters();
    }

    /**
     * Returns a stream that compresses in workers. A flush has no effect: serializers flush after each record. In the
     * mode OFFLOAD, blocks until a worker runs, at most for the timeout of a block.
     *
     * @param out the destination, which the stream closes
     * @return the stream
     * @throws UncheckedIOException in the mode OFFLOAD, if no worker runs
     * @throws IllegalArgumentException if a setting is unknown or wrong
     */
    @Override
    public OutputStream compressedOutputStream(OutputStream out) {
        return new TaskOutputStream(open(out));
    }

    /**
     * Returns a stream that compresses in workers, and completes a frame whenever it is flushed, so that all bytes
     * before a flush can be read from an incomplete file.
     *
     * @param out the destination, which the stream closes
     * @return the stream
     * @throws UncheckedIOException in the mode OFFLOAD, if no worker runs
     * @throws IllegalArgumentException if a setting is unknown or wrong
     */
    @Override
    public BufferedOutputStream compressedContinuousOutputStream(OutputStream out) {
        return new BufferedOutputStream(open(out));
    }

    /**
     * Returns a stream that decompresses in workers. It throws an {@link UncheckedIOException} if workers fail, and
     * an {@link IOException} if the data are invalid: Spark then fetches them again.
     *
     * @param in the source, which the stream closes
     * @return the stream
     * @throws UncheckedIOException in the mode OFFLOAD, if no worker runs
     * @throws IllegalArgumentException if a setting is unknown or wrong
     */
    @Override
    public InputStream compressedInputStream(InputStream in) {
        return new TaskInputStream(open(in), false);
    }

    /**
     * Returns a stream like {@link #compressedInputStream}, which ends before an incomplete frame.
     *
     * @param in the source, which the stream closes
     * @return the stream
     * @throws UncheckedIOException in the mode OFFLOAD, if no worker runs
     * @throws IllegalArgumentException if a setting is unknown or wrong
     */
    @Override
    public InputStream compressedContinuousInputStream(InputStream in) {
        return new TaskInputStream(open(in), true);
    }

    private OffloadOutputStream open(OutputStream out) {
        try {
            return SharedCompressions.get(settings()).outputStream(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private OffloadInputStream open(InputStream in) {
        try {
            return SharedCompressions.get(settings()).inputStream(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
