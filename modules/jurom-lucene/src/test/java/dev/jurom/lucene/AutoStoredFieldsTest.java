// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionMode;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/** Lucene's own tests of stored fields, with workers. */
public class AutoStoredFieldsTest extends StoredFieldsConformance {

    @BeforeClass
    public static void openCompression() throws CompressionException {
        open(CompressionMode.AUTO);
    }

    @AfterClass
    public static void requireWorkers() {
        assertTrue(compression().counters().toString(), compression().counters().offloadedBlocks() > 0);
        assertEquals(0, compression().counters().fallbacks());
    }
}
