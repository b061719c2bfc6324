// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionMode;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseSegmentInfoFormatTestCase;
import org.apache.lucene.util.Version;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/** Lucene's own tests of the format of segment files. */
@ThreadLeakFilters(filters = StoredFieldsConformance.ThreadsOfTheService.class)
public class DelegatingSegmentInfoFormatTest extends BaseSegmentInfoFormatTestCase {

    @BeforeClass
    public static void openCompression() throws CompressionException {
        StoredFieldsConformance.open(CompressionMode.LOCAL);
    }

    @AfterClass
    public static void closeCompression() {
        StoredFieldsConformance.closeCompression();
    }

    @Override
    protected Version[] getVersions() {
        return new Version[] {Version.LATEST};
    }

    @Override
    protected Codec getCodec() {
        return new Jurom103Codec(StoredFieldsConformance.compression());
    }
}
