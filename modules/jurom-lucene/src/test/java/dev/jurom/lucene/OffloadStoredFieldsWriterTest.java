// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer on a directory that fails. */
class OffloadStoredFieldsWriterTest {

    private static final int DOCUMENTS = 1024; // of a block
    private static final int BLOCKS = 8;

    @TempDir
    Path folder;

    /** A directory whose outputs fail once, when they have accepted a number of bytes, and work again later. */
    private static final class FailingOnce extends FilterDirectory {

        private final long limit;
        private IOException failure;

        FailingOnce(Directory directory, long limit) {
            super(directory);
            this.limit = limit;
        }

        @Override
        public IndexOutput createOutput(String name, IOContext context) throws IOException {
            return new FilterIndexOutput("failing once", name, super.createOutput(name, context)) {

                @Override
                public void writeByte(byte value) throws IOException {
                    require(1);
                    super.writeByte(value);
                }

                @Override
                public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
                    require(length);
                    super.writeBytes(bytes, offset, length);
                }

                private void require(int length) throws IOException {
                    if (failure == null && getFilePointer() + length > limit) {
                        failure = new IOException("no space left on device");
                        throw failure;
                    }
                }
            };
        }
    }

    private static SegmentInfo segment(Directory directory) {
        return new SegmentInfo(
                directory,
                Version.LATEST,
                Version.LATEST,
                "_0",
                BLOCKS * DOCUMENTS,
                false,
                false,
                Codec.getDefault(),
                Map.of(),
                StringHelper.randomId(),
                Map.of(),
                null);
    }

    /** Adds documents as a caller that ignores failures does. */
    private static void add(OffloadStoredFieldsWriter writer) {
        for (var document = 0; document < BLOCKS * DOCUMENTS; document++) {
            try {
                writer.startDocument();
                writer.finishDocument();
            } catch (IOException e) {
                assertTrue(e.getMessage().contains("no space left on device"), e::getMessage);
            }
        }
    }

    @Test
    void a_segment_that_lacks_a_frame_is_never_finished() throws IOException {
        try (var compression = Compression.open(CompressionConfiguration.builder()
                        .mode(CompressionMode.LOCAL)
                        .build());
                var plain = FSDirectory.open(folder)) {
            for (var limit = 100; limit < 400; limit++) { // from within the first frame to that of the last one
                var directory = new FailingOnce(plain, limit);
                try (var writer =
                        new OffloadStoredFieldsWriter(compression, directory, segment(directory), IOContext.DEFAULT)) {
                    add(writer);
                    var finished = assertThrows(IOException.class, () -> writer.finish(BLOCKS * DOCUMENTS));
                    if (finished != directory.failure) {
                        assertSame(directory.failure, finished.getCause());
                    }
                }
                for (var name : plain.listAll()) {
                    plain.deleteFile(name);
                }
            }
        }
    }
}
