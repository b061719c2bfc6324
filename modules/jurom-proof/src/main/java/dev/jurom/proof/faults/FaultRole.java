// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a process of a run is. */
public enum FaultRole {
    /** Whoever uses the library. */
    HOST(1),
    /** A {@code urom_worker}. */
    WORKER(2),
    /** The service as a process of its own. */
    DAEMON(4);

    private final int bit;

    FaultRole(int bit) {
        this.bit = bit;
    }

    /** What stands for it in the table. */
    public int bit() {
        return bit;
    }

    /** Its name in a schedule. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<FaultRole> ofBit(int bit) {
        return Stream.of(values()).filter(role -> role.bit == bit).findFirst();
    }
}
