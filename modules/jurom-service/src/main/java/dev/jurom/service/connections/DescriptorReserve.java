// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.service.identity.CallerProcess;
import dev.jurom.service.linux.Poller;
import java.io.IOException;

/**
 * Reserves a part of this process's file descriptors for workers, logs and plugins, so that connections cannot
 * use them up. This class is thread-safe.
 */
public final class DescriptorReserve {

    private static final int PARTS = 4; // one of them is the reserve

    private final Poller poller;
    private final long limit;

    /**
     * Creates the reserve of a quarter of the descriptors that this process may have.
     *
     * @param poller finds out which descriptors are in use
     * @throws IOException if the limit of this process cannot be read
     */
    public DescriptorReserve(Poller poller) throws IOException {
        this.poller = poller;
        this.limit = CallerProcess.ownFileLimit();
    }

    /** {@return whether one more connection would take a descriptor of the reserve, or that cannot be determined} */
    public boolean isReached() {
        try {
            return Long.compareUnsigned(poller.lowestFreeNumber(), Long.divideUnsigned(limit, PARTS) * (PARTS - 1))
                    >= 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public String toString() {
        return "three quarters of the " + Long.toUnsignedString(limit) + " descriptors that it may have";
    }
}
