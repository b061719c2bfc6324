// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionFormat;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.lucene103.Lucene103Codec;

/**
 * A codec that compresses stored fields by zstd in UROM workers, and otherwise delegates to
 * {@link Lucene103Codec}.
 *
 * <p>Lucene finds it by the name {@value #NAME} to read an index. Stored fields are decompressed in this process,
 * so that searching needs neither a service nor workers.
 *
 * {@snippet class="dev.jurom.lucene.OffloadIndexTest" region="configuration"}
 *
 * <p>This class is thread-safe.
 */
public final class Jurom103Codec extends FilterCodec {

    /** The name of the codec, which each segment records. */
    public static final String NAME = "Jurom103";

    private final StoredFieldsFormat storedFields;

    /**
     * Creates a codec that opens a compression with the default configuration when it first writes stored
     * fields. All codecs of this constructor share it, and it is closed when the JVM exits.
     */
    public Jurom103Codec() {
        super(NAME, new Lucene103Codec());
        storedFields = new OffloadStoredFieldsFormat(() -> Shared.COMPRESSION);
    }

    /**
     * Creates a codec that writes stored fields with a compression. A block of stored fields has 64 KiB, or the
     * block size of the compression if that is smaller.
     *
     * @param compression the compression, which the caller closes after the last index writer that uses the codec
     * @throws IllegalArgumentException if the format of the compression is not zstd, or if it has a dictionary
     */
    public Jurom103Codec(Compression compression) {
        super(NAME, new Lucene103Codec());
        var parameters = compression.configuration().parameters();
        if (parameters.format() != CompressionFormat.ZSTD || parameters.dictionary().length > 0) {
            throw new IllegalArgumentException(
                    "Stored fields need zstd without a dictionary, and the compression has " + parameters);
        }
        storedFields = new OffloadStoredFieldsFormat(() -> compression);
    }

    @Override
    public StoredFieldsFormat storedFieldsFormat() {
        return storedFields;
    }

    /** The compression of codecs that have none: reading an index does not open it. */
    private static final class Shared {
        static final Compression COMPRESSION = Compression.open();
    }
}
