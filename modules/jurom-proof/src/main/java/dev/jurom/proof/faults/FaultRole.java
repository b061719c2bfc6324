// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The role of a process in a run. */
public enum FaultRole {
    /** A user of the library. */
    HOST(1),
    /** A {@code urom_worker}. */
    WORKER(2),
    /** The service as a separate process. */
    DAEMON(4);

    private final int bit;

    FaultRole(int bit) {
        this.bit = bit;
    }

    /** Returns the bit in the fault table. */
    public int bit() {
        return bit;
    }

    /** Returns the name in a schedule. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<FaultRole> ofBit(int bit) {
        return Stream.of(values()).filter(role -> role.bit == bit).findFirst();
    }
}
