// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.core.DeviceInfo;
import dev.jurom.core.DocaError;
import dev.jurom.runtime.internal.PathText;
import java.io.UncheckedIOException;

/**
 * Explains why a service does not start and how to correct it, because the library reports only a
 * status.
 */
final class StartAdvice {

    private StartAdvice() {}

    /** Returns the advice for a failed start of the service of a device. */
    static String of(DocaError error, DeviceInfo device) {
        return switch (error) {
            case NOT_FOUND, BAD_CONFIG -> aboutServiceFile(device);
            case AUTHENTICATION ->
                "Each side needs the certificate of the other: DOCA_UROM_KEY_FILE must name a file with the key"
                        + " of this host followed by the certificate of the service, and --authorized-hosts of the"
                        + " service a file with the certificate of this host.";
            case UNSUPPORTED_VERSION -> "Install the same release of jurom on both sides.";
            case INVALID_VALUE -> "Set the same maximum message size on both sides.";
            case NOT_CONNECTED, TIME_OUT, CONNECTION_ABORTED, CONNECTION_RESET, IO_FAILED ->
                "Check that the service runs at " + addressOf(device) + ".";
            default -> error.advice();
        };
    }

    private static String aboutServiceFile(DeviceInfo device) {
        var name = ServiceFile.named().orElse("");
        if (name.isEmpty()) {
            return ServiceFile.VARIABLE + " is not set: set it to the path of the service file.";
        }
        try {
            ServiceFile.read(PathText.of(ServiceFile.VARIABLE, name));
        } catch (UncheckedIOException | IllegalArgumentException e) {
            return e.getMessage() + ".";
        }
        return "The service file " + name + " has no line for this host and the device at "
                + device.pciAddress() + ": add one, or set " + ServiceFile.VARIABLE
                + " to another file. The log of the library (-Djurom.log.level=error) may have details.";
    }

    /** Returns the addresses in the service file; its path too if the user has set it, and no program. */
    private static String addressOf(DeviceInfo device) {
        var file = "the service file"
                + ServiceFile.ofVariable().map(name -> " " + name).orElse("");
        var name = ServiceFile.named().orElse("");
        try {
            var addresses = ServiceFile.read(PathText.of(ServiceFile.VARIABLE, name)).entries().stream()
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
