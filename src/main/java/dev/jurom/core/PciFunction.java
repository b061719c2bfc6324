// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.internal.LibraryLoader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which function of its PCI device a device is. A library that is older than one of these questions
 * leaves it empty.
 *
 * @param kind physical, virtual or scalable: {@code doca_devinfo_get_pci_func_type}
 * @param scalableIndex which of the scalable functions it is; empty for one of another kind:
 *        {@code doca_devinfo_get_sf_index}
 * @param adapterId the number of its virtual adapter, 0 to 65535, which tells functions of one
 *        machine apart; the interface's index in the software DOCA:
 *        {@code doca_devinfo_get_vhca_id}
 */
public record PciFunction(Optional<Kind> kind, OptionalInt scalableIndex, OptionalInt adapterId) {

    /** A kind of function. Stands for {@code enum doca_pci_func_type}. */
    public enum Kind {

        /** The device itself. */
        PHYSICAL,

        /** A part of it for a virtual machine, of which there is a fixed number. */
        VIRTUAL,

        /** A part of it that is made when it is needed. */
        SCALABLE;

        private static Optional<Kind> of(int code) {
            return code >= 0 && code < values().length ? Optional.of(values()[code]) : Optional.empty();
        }
    }

    /** Asks a native device; {@code result} has room for any answer. */
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

    /** The vendor's DOCA 3.0 does not have what came later. */
    private static boolean exists(String function) {
        return LibraryLoader.hasFunction(function);
    }
}
