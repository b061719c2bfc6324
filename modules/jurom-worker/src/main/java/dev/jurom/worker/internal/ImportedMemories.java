// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import dev.jurom.worker.ImportedMemory;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** The open memory of a plugin's hosts. Thread-safe. */
final class ImportedMemories {

    private final MemorySource source;
    private final Map<Long, Set<Memory>> open = new HashMap<>(); // by host; guarded by this

    @FunctionalInterface
    private interface Copy {

        void apply(long offset, MemorySegment part);
    }

    /** Checks the bounds and the lifetime of memory. */
    private final class Memory implements ImportedMemory {

        private final long host;
        private final MemorySource.Region region;
        private boolean closed; // guarded by this

        Memory(long host, MemorySource.Region region) {
            this.host = host;
            this.region = region;
        }

        @Override
        public long byteSize() {
            return region.byteSize();
        }

        @Override
        public void read(long offset, MemorySegment to) {
            forEachPart(offset, to, region::read);
        }

        @Override
        public void write(long offset, MemorySegment from) {
            forEachPart(offset, from, region::write);
        }

        /** Copies in parts, so that a long copy of another thread does not delay the close. */
        private void forEachPart(long offset, MemorySegment segment, Copy copy) {
            Objects.checkFromIndexSize(offset, segment.byteSize(), byteSize());
            var done = 0L;
            do {
                var length = Math.min(MemorySource.PART, segment.byteSize() - done);
                synchronized (this) {
                    if (closed) {
                        throw new IllegalStateException("The memory of the host is closed: the plugin has closed it,"
                                + " or the host has disconnected");
                    }
                    if (length > 0) {
                        copy.apply(offset + done, segment.asSlice(done, length));
                    }
                }
                done += length;
            } while (done < segment.byteSize());
        }

        @Override
        public void close() {
            synchronized (this) {
                if (!closed) {
                    closed = true;
                    region.close();
                }
            }
            remove(this);
        }
    }

    ImportedMemories(MemorySource source) {
        this.source = source;
    }

    /** Opens memory that a connected host has exported. */
    ImportedMemory open(long host, byte[] export) {
        var memory = new Memory(host, source.open(export));
        synchronized (this) {
            open.computeIfAbsent(host, none -> new HashSet<>()).add(memory);
        }
        return memory;
    }

    private synchronized void remove(Memory memory) {
        var others = open.get(memory.host);
        if (others != null && others.remove(memory) && others.isEmpty()) {
            open.remove(memory.host);
        }
    }

    /** Closes the memory of the selected hosts. */
    void close(Predicate<Long> selected) {
        List<Memory> ended;
        synchronized (this) {
            ended = open.values().stream()
                    .flatMap(Set::stream)
                    .filter(memory -> selected.test(memory.host))
                    .toList();
        }
        ended.forEach(Memory::close);
    }
}
