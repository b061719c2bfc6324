// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import dev.jurom.compress.CompressionException;
import dev.jurom.compress.CompressionMode;
import org.junit.BeforeClass;

/** Lucene's own tests of stored fields, compressed in this process. */
public class LocalStoredFieldsTest extends StoredFieldsConformance {

    @BeforeClass
    public static void openCompression() throws CompressionException {
        open(CompressionMode.LOCAL);
    }
}
