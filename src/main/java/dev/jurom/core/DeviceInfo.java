// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The properties of a device at the time of the query. Stands for {@code struct doca_devinfo}.
 *
 * @param pciAddress the PCI address as {@code dddd:bb:dd.f}: {@code doca_devinfo_get_pci_addr_str}
 * @param interfaceName the name of the network interface, empty if it has none:
 *         {@code doca_devinfo_get_iface_name}
 * @param infinibandName the name of the InfiniBand device, empty if it has none:
 *         {@code doca_devinfo_get_ibdev_name}
 * @param ipv4Address the IPv4 address of the interface: {@code doca_devinfo_get_ipv4_addr}
 * @param ipv6Address the IPv6 address of the interface: {@code doca_devinfo_get_ipv6_addr}
 * @param macAddress the hardware address as {@code 02:42:ac:11:00:02}:
 *         {@code doca_devinfo_get_mac_addr}
 * @param lid the InfiniBand local id, 0 to 65535: {@code doca_devinfo_get_lid}
 * @param activeRate the rate of the link in bits per second: {@code doca_devinfo_get_active_rate}
 * @param function its position among the functions of its PCI device
 * @param capabilities its capabilities
 */
public record DeviceInfo(
        String pciAddress,
        String interfaceName,
        String infinibandName,
        Optional<InetAddress> ipv4Address,
        Optional<InetAddress> ipv6Address,
        Optional<String> macAddress,
        OptionalInt lid,
        OptionalLong activeRate,
        PciFunction function,
        DeviceCapabilities capabilities) {

    private static final int LONGEST_PROPERTY = 256;

    @FunctionalInterface
    private interface Getter {
        int apply(MemorySegment device, MemorySegment result, int size);
    }

    /** Queries a native device. */
    static DeviceInfo of(MemorySegment device) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(LONGEST_PROPERTY, Long.BYTES);
            check(doca_h.doca_devinfo_get_pci_addr_str(device, result), "doca_devinfo_get_pci_addr_str", "device");
            return new DeviceInfo(
                    result.getString(0),
                    name(device, result, doca_h::doca_devinfo_get_iface_name, doca_h.DOCA_DEVINFO_IFACE_NAME_SIZE()),
                    name(device, result, doca_h::doca_devinfo_get_ibdev_name, doca_h.DOCA_DEVINFO_IBDEV_NAME_SIZE()),
                    address(device, result, doca_h::doca_devinfo_get_ipv4_addr, doca_h.DOCA_DEVINFO_IPV4_ADDR_SIZE()),
                    address(device, result, doca_h::doca_devinfo_get_ipv6_addr, doca_h.DOCA_DEVINFO_IPV6_ADDR_SIZE()),
                    bytes(device, result, doca_h::doca_devinfo_get_mac_addr, doca_h.DOCA_DEVINFO_MAC_ADDR_SIZE())
                            .map(HexFormat.ofDelimiter(":")::formatHex),
                    doca_h.doca_devinfo_get_lid(device, result) == 0
                            ? OptionalInt.of(Short.toUnsignedInt(result.get(ValueLayout.JAVA_SHORT, 0)))
                            : OptionalInt.empty(),
                    doca_h.doca_devinfo_get_active_rate(device, result) == 0
                            ? OptionalLong.of(result.get(ValueLayout.JAVA_LONG, 0))
                            : OptionalLong.empty(),
                    PciFunction.of(device, result),
                    DeviceCapabilities.of(device, result));
        }
    }

    private static String name(MemorySegment device, MemorySegment result, Getter getter, int size) {
        return getter.apply(device, result, size) == 0 ? result.getString(0) : "";
    }

    private static Optional<byte[]> bytes(MemorySegment device, MemorySegment result, Getter getter, int size) {
        return getter.apply(device, result, size) == 0
                ? Optional.of(result.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE))
                : Optional.empty();
    }

    private static Optional<InetAddress> address(MemorySegment device, MemorySegment result, Getter getter, int size) {
        return bytes(device, result, getter, size).map(bytes -> {
            try {
                return InetAddress.getByAddress(bytes);
            } catch (UnknownHostException e) {
                throw new AssertionError("addresses of 4 and 16 bytes are known", e);
            }
        });
    }

    /**
     * Returns whether a name refers to this device. In place of
     * {@code doca_devinfo_is_equal_pci_addr}.
     *
     * @param name a PCI address ({@code dddd:bb:dd.f} or {@code bb:dd.f}, case-insensitive), the
     *         name of a network interface or the name of an InfiniBand device
     * @return true if it equals the address or a name of this device
     */
    public boolean isNamed(String name) {
        return !name.isEmpty()
                && (name.equalsIgnoreCase(pciAddress)
                        || name.equalsIgnoreCase(pciAddress.substring(pciAddress.indexOf(':') + 1))
                        || name.equals(interfaceName)
                        || name.equals(infinibandName));
    }

    /**
     * Returns the shortest name that identifies this device.
     *
     * @return the name of the InfiniBand device, else the name of the interface, else the PCI
     *         address
     */
    public String name() {
        if (!infinibandName.isEmpty()) {
            return infinibandName;
        }
        return interfaceName.isEmpty() ? pciAddress : interfaceName;
    }
}
