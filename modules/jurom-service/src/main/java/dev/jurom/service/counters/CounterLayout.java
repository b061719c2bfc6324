// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

/** The layout of a file, as that of {@code struct counters}. */
final class CounterLayout {

    /** "JUROMCNT", little-endian. */
    static final long MAGIC = 0x544E434D4F52554AL;

    static final int VERSION = 1;

    static final int VERSION_AT = 8;
    static final int KIND_AT = 12;
    static final int SIZE_AT = 16;
    static final int PROCESS_AT = 24;
    static final int PROCESS_START_AT = 32;
    static final int BEGAN_AT = 40;
    static final int TICKS_AT = 56;
    static final int LABEL_AT = 64;
    static final int LABEL_SIZE = 128;

    static final int VALUES_AT = 192;
    static final int VALUES = 24;
    static final int CALLBACK_AT = VALUES_AT + 14 * Long.BYTES; // of a worker
    static final int BUSY_AT = CALLBACK_AT + Long.BYTES;
    static final int POLLED_AT = BUSY_AT + Long.BYTES;
    static final int CALLBACKS = 16; // numbers of callbacks for each plugin
    static final int HISTOGRAM_AT = 384;
    static final int BUCKETS = 304;

    static final int ERRORS_AT = 2816;
    static final int ERRORS = 32;
    static final int ERROR_SIZE = 192;
    static final int FIRST_AT = 8;
    static final int LAST_AT = 16;
    static final int TEXT_AT = 32;
    static final int TEXT_SIZE = 160;

    static final int SIZE = ERRORS_AT + ERRORS * ERROR_SIZE;

    private CounterLayout() {}
}
