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
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a device at the time of the query. Instances are immutable. Stands for
 * {@code struct doca_devinfo}.
 */
public final class DeviceInfo {

    private static final int LONGEST_PROPERTY = 256;

    @FunctionalInterface
    private interface Getter {
        int apply(MemorySegment device, MemorySegment result, int size);
    }

    private final String pciAddress;
    private final String interfaceName;
    private final String infinibandName;
    private final Optional<InetAddress> ipv4Address;
    private final Optional<InetAddress> ipv6Address;
    private final Optional<String> macAddress;
    private final OptionalInt lid;
    private final OptionalLong activeRate;
    private final PciFunction function;
    private final DeviceCapabilities capabilities;

    private DeviceInfo(
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
        this.pciAddress = pciAddress;
        this.interfaceName = interfaceName;
        this.infinibandName = infinibandName;
        this.ipv4Address = ipv4Address;
        this.ipv6Address = ipv6Address;
        this.macAddress = macAddress;
        this.lid = lid;
        this.activeRate = activeRate;
        this.function = function;
        this.capabilities = capabilities;
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

    /**
     * Returns the PCI address. Stands for {@code doca_devinfo_get_pci_addr_str}.
     *
     * @return the address as {@code dddd:bb:dd.f}
     */
    public String pciAddress() {
        return pciAddress;
    }

    /**
     * Returns the name of the network interface. Stands for {@code doca_devinfo_get_iface_name}.
     *
     * @return the name; an empty string if the device has none
     */
    public String interfaceName() {
        return interfaceName;
    }

    /**
     * Returns the name of the InfiniBand device. Stands for {@code doca_devinfo_get_ibdev_name}.
     *
     * @return the name; an empty string if the device has none
     */
    public String infinibandName() {
        return infinibandName;
    }

    /**
     * Returns the IPv4 address of the network interface. Stands for {@code doca_devinfo_get_ipv4_addr}.
     *
     * @return empty if the interface has none
     */
    public Optional<InetAddress> ipv4Address() {
        return ipv4Address;
    }

    /**
     * Returns the IPv6 address of the network interface. Stands for {@code doca_devinfo_get_ipv6_addr}.
     *
     * @return empty if the interface has none
     */
    public Optional<InetAddress> ipv6Address() {
        return ipv6Address;
    }

    /**
     * Returns the hardware address. Stands for {@code doca_devinfo_get_mac_addr}.
     *
     * @return the address as {@code 02:42:ac:11:00:02}; empty if there is none
     */
    public Optional<String> macAddress() {
        return macAddress;
    }

    /**
     * Returns the InfiniBand local id. Stands for {@code doca_devinfo_get_lid}.
     *
     * @return 0 to 65535; empty if there is none
     */
    public OptionalInt lid() {
        return lid;
    }

    /**
     * Returns the rate of the link. Stands for {@code doca_devinfo_get_active_rate}.
     *
     * @return a number of bits per second; empty if it is unknown
     */
    public OptionalLong activeRate() {
        return activeRate;
    }

    /**
     * Returns which function of its PCI device the device is.
     *
     * @return the function
     */
    public PciFunction function() {
        return function;
    }

    /**
     * Returns the capabilities of the device.
     *
     * @return the capabilities
     */
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    private List<Object> values() {
        return List.of(
                pciAddress,
                interfaceName,
                infinibandName,
                ipv4Address,
                ipv6Address,
                macAddress,
                lid,
                activeRate,
                function,
                capabilities);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceInfo that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DeviceInfo[pciAddress=" + pciAddress + ", interfaceName=" + interfaceName + ", infinibandName="
                + infinibandName + ", ipv4Address=" + ipv4Address + ", ipv6Address=" + ipv6Address + ", macAddress="
                + macAddress + ", lid=" + lid + ", activeRate=" + activeRate + ", function=" + function
                + ", capabilities=" + capabilities + "]";
    }
}
