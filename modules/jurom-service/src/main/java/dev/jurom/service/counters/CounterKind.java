// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The kind of a process that writes counters. */
public enum CounterKind {

    /** The service. */
    DAEMON(1),
    /** A worker process. */
    WORKER(2),
    /** A host, with a file for each session with a service. */
    HOST(3);

    private final int code;

    CounterKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Optional<CounterKind> of(int code) {
        return Stream.of(values()).filter(kind -> kind.code == code).findFirst();
    }

    /** Returns the name in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
