// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import java.io.EOFException;
import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/** Lucene's header of the files of a segment. */
final class FileHeader {

    private static final int VERSION = 1;

    private FileHeader() {}

    static void write(IndexOutput out, String codec, byte[] segmentId) throws IOException {
        CodecUtil.writeIndexHeader(out, codec, VERSION, segmentId, "");
    }

    /** Reads the header. */
    static void check(IndexInput in, String codec, byte[] segmentId) throws IOException {
        try {
            // Lucene allocates as many bytes as the length of the name states.
            in.seek(Integer.BYTES);
            if (in.readByte() != codec.length()) {
                throw new CorruptIndexException("the codec of the file is not " + codec, in);
            }
            in.seek(0);
            CodecUtil.checkIndexHeader(in, codec, VERSION, VERSION, segmentId, "");
        } catch (EOFException e) {
            throw new CorruptIndexException("the file ends within its header", in, e);
        }
    }
}
