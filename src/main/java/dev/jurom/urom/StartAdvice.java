// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.core.DeviceInfo;
import dev.jurom.core.DocaError;
import dev.jurom.runtime.internal.PathText;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Explains why a service does not start and how to correct it, because the library reports only a
 * status.
 */
final class StartAdvice {

    private StartAdvice() {}

    /**
     * Returns the advice for a failed start of the service of a device.
     *
     * @param location where the library looked for the service
     */
    static String of(DocaError error, DeviceInfo device, ServiceLocation location) {
        return switch (error) {
            case NOT_FOUND, BAD_CONFIG -> aboutLocation(error, device, location);
            case AUTHENTICATION ->
                "Each side needs the certificate of the other: DOCA_UROM_KEY_FILE must name a file with the key"
                        + " of this host followed by the certificate of the service, and --authorized-hosts of the"
                        + " service a file with the certificate of this host.";
            case UNSUPPORTED_VERSION -> "Install the same release of jurom on both sides.";
            case INVALID_VALUE -> "Set the same maximum message size on both sides.";
            case NOT_CONNECTED, TIME_OUT, CONNECTION_ABORTED, CONNECTION_RESET, IO_FAILED ->
                "Check that the service runs at " + addressOf(device, location) + ".";
            default -> error.advice();
        };
    }

    private static String aboutLocation(DocaError error, DeviceInfo device, ServiceLocation location) {
        return switch (location) {
            case ServiceLocation.File(var path) -> aboutServiceFile(path, device, "choose another file");
            case ServiceLocation.Environment environment -> {
                var name = ServiceFile.ofVariable().orElse("");
                yield name.isEmpty()
                        ? ServiceFile.VARIABLE + " is not set: set it to the path of the service file."
                        : aboutVariable(name, device);
            }
            case ServiceLocation.Address address -> error.advice();
            case ServiceLocation.Embedded embedded -> error.advice();
        };
    }

    private static String aboutVariable(String name, DeviceInfo device) {
        try {
            return aboutServiceFile(
                    PathText.of(ServiceFile.VARIABLE, name),
                    device,
                    "set " + ServiceFile.VARIABLE + " to another file");
        } catch (IllegalArgumentException e) {
            return e.getMessage() + ".";
        }
    }

    private static String aboutServiceFile(Path file, DeviceInfo device, String alternative) {
        try {
            ServiceFile.read(file);
        } catch (UncheckedIOException | IllegalArgumentException e) {
            return e.getMessage() + ".";
        }
        return "The service file " + file + " has no line for this host and the device at "
                + device.pciAddress() + ": add one, or " + alternative
                + ". The log of the library (-Djurom.log.level=error) may have details.";
    }

    private static String addressOf(DeviceInfo device, ServiceLocation location) {
        return switch (location) {
            case ServiceLocation.Address(var address) -> address;
            case ServiceLocation.File(var path) -> addressIn(path.toString(), device);
            case ServiceLocation.Environment environment ->
                addressIn(ServiceFile.ofVariable().orElse(""), device);
            case ServiceLocation.Embedded embedded -> "the address of the embedded service";
        };
    }

    /** Returns the addresses of the device in a service file, and the path of the file. */
    private static String addressIn(String name, DeviceInfo device) {
        var file = "the service file " + name;
        try {
            var addresses = ServiceFile.read(PathText.of("The service file", name)).entries().stream()
                    .filter(entry -> entry.devicePciAddress().equalsIgnoreCase(device.pciAddress()))
                    .map(ServiceFile.Entry::deviceHost)
                    .distinct()
                    .toList();
            return addresses.isEmpty()
                    ? "the address in " + file
                    : String.join(" or ", addresses) + ", the address in " + file;
        } catch (UncheckedIOException | IllegalArgumentException e) {
            return "the address in " + file;
        }
    }
}
