// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The records of a result, in the order of its files. */
final class SortedRecords implements AutoCloseable {

    private final DataInputStream in;
    private final byte[] value = new byte[SortJob.VALUE];
    private long key;

    private SortedRecords(List<Path> files) throws IOException {
        List<InputStream> streams = new ArrayList<>();
        for (var file : files) {
            streams.add(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
        }
        in = new DataInputStream(new SequenceInputStream(Collections.enumeration(streams)));
    }

    private void next() throws IOException {
        key = in.readLong();
        in.readFully(value);
    }

    /** Compares two results, and checks that each has this number of records in ascending order. */
    static void requireEqual(Path one, Path other, long records) throws IOException {
        try (var a = new SortedRecords(SortJob.files(one));
                var b = new SortedRecords(SortJob.files(other))) {
            var before = Long.MIN_VALUE;
            for (long i = 0; i < records; i++) {
                a.next();
                b.next();
                if (a.key != b.key || !Arrays.equals(a.value, b.value) || i > 0 && a.key <= before) {
                    throw new IllegalStateException("record " + i + " differs or is not in order");
                }
                before = a.key;
            }
            if (a.in.read() >= 0 || b.in.read() >= 0) {
                throw new IllegalStateException("a result has more than " + records + " records");
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
