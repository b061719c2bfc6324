// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.internal.LibraryLoader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a device among the functions of its PCI device. Values that the library is too old to report are empty. Instances
 * are immutable.
 */
public final class PciFunction {

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

    private final Optional<Kind> kind;
    private final OptionalInt scalableIndex;
    private final OptionalInt adapterId;

    private PciFunction(Optional<Kind> kind, OptionalInt scalableIndex, OptionalInt adapterId) {
        this.kind = kind;
        this.scalableIndex = scalableIndex;
        this.adapterId = adapterId;
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

    /**
     * Returns whether the function is physical, virtual or scalable. Stands for
     * {@code doca_devinfo_get_pci_func_type}.
     *
     * @return the kind
     */
    public Optional<Kind> kind() {
        return kind;
    }

    /**
     * Returns the index of a scalable function. Stands for {@code doca_devinfo_get_sf_index}.
     *
     * @return the index; empty for a function of another kind
     */
    public OptionalInt scalableIndex() {
        return scalableIndex;
    }

    /**
     * Returns the number of the virtual adapter, which is unique in the machine. Stands for
     * {@code doca_devinfo_get_vhca_id}.
     *
     * @return 0 to 65535; the interface's index in the software DOCA
     */
    public OptionalInt adapterId() {
        return adapterId;
    }

    private List<Object> values() {
        return List.of(kind, scalableIndex, adapterId);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof PciFunction that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "PciFunction[kind=" + kind + ", scalableIndex=" + scalableIndex + ", adapterId=" + adapterId + "]";
    }
}
