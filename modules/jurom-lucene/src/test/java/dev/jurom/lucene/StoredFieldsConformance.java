// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import com.carrotsearch.randomizedtesting.ThreadFilter;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionMode;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseStoredFieldsFormatTestCase;
import org.junit.AfterClass;

/** Lucene's own tests of stored fields. A subclass opens the compression. */
@ThreadLeakFilters(filters = StoredFieldsConformance.ThreadsOfTheService.class)
public abstract class StoredFieldsConformance extends BaseStoredFieldsFormatTestCase {

    private static Compression compression;

    static void open(CompressionMode mode) throws CompressionException {
        compression =
                Compression.open(CompressionConfiguration.builder().mode(mode).build());
    }

    /** Returns the compression of the current class. */
    static Compression compression() {
        return compression;
    }

    @AfterClass
    public static void closeCompression() {
        if (compression != null) {
            compression.close();
            compression = null;
        }
    }

    @Override
    protected Codec getCodec() {
        return new Jurom103Codec(compression);
    }

    /** The threads of the library and of its embedded service, which end with the JVM. */
    public static final class ThreadsOfTheService implements ThreadFilter {

        @Override
        public boolean reject(Thread thread) {
            return thread.isDaemon();
        }
    }
}
