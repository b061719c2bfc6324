// SPDX-License-Identifier: Apache-2.0
package dev.jurom.counters;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Who counts. */
public enum CounterKind {

    /** The service. */
    DAEMON(1),
    /** A worker process. */
    WORKER(2),
    /** A host: one of its sessions with a service. */
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

    /** In lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
