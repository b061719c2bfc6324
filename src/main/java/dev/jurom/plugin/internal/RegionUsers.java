// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.internal;

import dev.jurom.plugin.HostRegion;
import java.util.function.BooleanSupplier;

/** Adds users to regions: a region cannot be closed while an object uses it. */
public final class RegionUsers {

    private static volatile Accessor accessor = (region, user, isOpen) -> {
        throw new AssertionError("the class of a region sets the accessor");
    };

    private RegionUsers() {}

    /** Adds a user to a region. */
    @FunctionalInterface
    public interface Accessor {

        /**
         * Adds a user to a region.
         *
         * @param region the region
         * @param user the object that uses it
         * @param isOpen whether the object still does
         */
        void add(HostRegion region, Object user, BooleanSupplier isOpen);
    }

    /**
     * Sets the accessor; for {@link HostRegion}.
     *
     * @param access adds users
     */
    public static void setAccessor(Accessor access) {
        accessor = access;
    }

    /**
     * Adds an object through which plugins reach the memory of a region. No effect if the region has
     * the user.
     *
     * @param region the region
     * @param user the object, which messages name
     * @param isOpen whether the object still uses the region; any thread may call it
     * @throws IllegalStateException if the region is closed
     */
    public static void add(HostRegion region, Object user, BooleanSupplier isOpen) {
        accessor.add(region, user, isOpen);
    }
}
