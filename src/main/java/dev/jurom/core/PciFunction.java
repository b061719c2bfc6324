// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.internal.LibraryLoader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Identifies a device among the functions of its PCI device. Values that the library is too old to
 * report are empty.
 *
 * @param kind physical, virtual or scalable: {@code doca_devinfo_get_pci_func_type}
 * @param scalableIndex the index among the scalable functions; empty for functions of other kinds:
 *         {@code doca_devinfo_get_sf_index}
 * @param adapterId the number of its virtual adapter, 0 to 65535, which is unique on a machine; in
 *         the software DOCA, the index of the network interface: {@code doca_devinfo_get_vhca_id}
 */
public record PciFunction(Optional<Kind> kind, OptionalInt scalableIndex, OptionalInt adapterId) {

    /** The kind of a function. Stands for {@code enum doca_pci_func_type}. */
    public enum Kind {

        /** The physical device. */
        PHYSICAL,

        /** A virtual function, for a virtual machine. A device has a fixed number of them. */
        VIRTUAL,

        /** A scalable function, which is created on demand. */
        SCALABLE;

        private static Optional<Kind> of(int code) {
            return code >= 0 && code < values().length ? Optional.of(values()[code]) : Optional.empty();
        }
    }

    /** Queries a native device; {@code result} must have room for any answer. */
    static PciFunction of(MemorySegment device, MemorySegment result) {
        return new PciFunction(
                exists("doca_devinfo_get_pci_func_type") && doca_h.doca_devinfo_get_pci_func_type(device, result) == 0
                        ? Kind.of(result.get(ValueLayout.JAVA_INT, 0))
                        : Optional.empty(),
                exists("doca_devinfo_get_sf_index") && doca_h.doca_devinfo_get_sf_index(device, result) == 0
                        ? OptionalInt.of(result.get(ValueLayout.JAVA_INT, 0))
                        : OptionalInt.empty(),
                doca_h.doca_devinfo_get_vhca_id(device, result) == 0
                        ? OptionalInt.of(Short.toUnsignedInt(result.get(ValueLayout.JAVA_SHORT, 0)))
                        : OptionalInt.empty());
    }

    /** Returns whether the library has a function; the vendor's DOCA 3.0 lacks some. */
    private static boolean exists(String function) {
        return LibraryLoader.hasFunction(function);
    }
}
