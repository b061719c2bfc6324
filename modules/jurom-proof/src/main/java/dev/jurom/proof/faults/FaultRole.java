// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.Locale;

/** The role of a process in a run. */
public enum FaultRole {
    /** A user of the library. */
    HOST,
    /** A {@code urom_worker}. */
    WORKER,
    /** The service as a separate process. */
    DAEMON;

    /** Returns the bit in the fault table. */
    int bit() {
        return 1 << ordinal();
    }

    static FaultRole ofBit(int bit) {
        return values()[Integer.numberOfTrailingZeros(bit)];
    }

    /** Returns the name in a schedule. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
