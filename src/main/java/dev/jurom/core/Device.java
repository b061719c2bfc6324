// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.DocaRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An open device. Stands for {@code struct doca_dev}; {@link #close()} stands for
 * {@code doca_dev_close}.
 *
 * <p>The software DOCA lists the network interfaces of the machine and {@code soft0}, a device that
 * every machine has.
 *
 * <p>This class is thread-safe.
 */
public final class Device extends Handle {

    private final MemorySegment handle;
    private final DeviceInfo info;

    private Device(MemorySegment handle, DeviceInfo info) {
        this.handle = handle;
        this.info = info;
    }

    /**
     * Returns the devices of this machine. Stands for {@code doca_devinfo_create_list} and
     * {@code doca_devinfo_destroy_list}.
     *
     * @return the devices, in the order of the library
     * @throws DocaException if the library cannot list them
     */
    public static List<DeviceInfo> list() {
        return withList(devices -> devices.stream().map(DeviceInfo::of).toList());
    }

    /**
     * Opens the first device of the list. Stands for {@code doca_dev_open}.
     *
     * @return the device
     * @throws DocaException with {@code NOT_FOUND} if this machine has no device
     */
    public static Device open() {
        return withList(devices -> {
            if (devices.isEmpty()) {
                throw new DocaException(
                        DocaError.NOT_FOUND,
                        "doca_dev_open",
                        "device",
                        "This machine has none: check the driver's installation.");
            }
            return open(devices.getFirst(), DeviceInfo.of(devices.getFirst()));
        });
    }

    /**
     * Opens a device by name. Stands for {@code doca_dev_open}.
     *
     * @param name a PCI address, the name of a network interface or the name of an InfiniBand
     *         device
     * @return the first device with that name
     * @throws DocaException with {@code NOT_FOUND} if no device has that name; the message lists
     *         the names of all devices
     */
    public static Device open(String name) {
        return withList(devices -> {
            var names = new ArrayList<String>();
            for (var device : devices) {
                var info = DeviceInfo.of(device);
                if (info.isNamed(name)) {
                    return open(device, info);
                }
                names.add(info.name());
            }
            throw new DocaException(
                    DocaError.NOT_FOUND,
                    "doca_dev_open",
                    "device \"" + name + "\"",
                    "This machine has: " + names.stream().collect(Collectors.joining(", ")) + ".");
        });
    }

    private static Device open(MemorySegment device, DeviceInfo info) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_dev_open(device, result), "doca_dev_open", "device " + info.name());
            return new Device(result.get(ValueLayout.ADDRESS, 0), info);
        }
    }

    private static <T> T withList(Function<List<MemorySegment>, T> use) {
        DocaRuntime.current();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            var count = arena.allocate(ValueLayout.JAVA_INT);
            check(doca_h.doca_devinfo_create_list(result, count), "doca_devinfo_create_list", "devices");
            var length = count.get(ValueLayout.JAVA_INT, 0);
            var list = result.get(ValueLayout.ADDRESS, 0).reinterpret(length * ValueLayout.ADDRESS.byteSize());
            try {
                var devices = new ArrayList<MemorySegment>();
                for (var i = 0; i < length; i++) {
                    devices.add(list.getAtIndex(ValueLayout.ADDRESS, i));
                }
                return use.apply(devices);
            } finally {
                doca_h.doca_devinfo_destroy_list(list);
            }
        }
    }

    /**
     * Returns the properties of the device when it was opened. Stands for
     * {@code doca_dev_as_devinfo}.
     *
     * @return the properties
     */
    public DeviceInfo info() {
        return info;
    }

    /**
     * Returns the native device.
     *
     * @return a {@code struct doca_dev *}
     */
    MemorySegment handle() {
        requireOpen();
        return handle;
    }

    /** Returns the native properties of the device, to query its capabilities. */
    MemorySegment nativeInfo() {
        return doca_h.doca_dev_as_devinfo(handle());
    }

    @Override
    void destroy() {
        check(doca_h.doca_dev_close(handle), "doca_dev_close", this);
    }

    @Override
    public String toString() {
        return "device " + info.name();
    }
}
