// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.core.DeviceInfo;
import dev.jurom.core.DocaError;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Why a service does not start, and what to do about it: the library tells but a status. */
final class StartAdvice {

    private StartAdvice() {}

    /** What to do when the start of a device's service has failed. */
    static String of(DocaError error, DeviceInfo device) {
        return switch (error) {
            case NOT_FOUND, BAD_CONFIG -> aboutServiceFile(device);
            case AUTHENTICATION ->
                "The two sides must know each other: have DOCA_UROM_KEY_FILE"
                        + " name this host's key with the service's certificate behind it, and the"
                        + " service's --authorized-hosts a file with this host's certificate.";
            case UNSUPPORTED_VERSION -> "Install the same release of jurom on both sides.";
            case INVALID_VALUE -> "The maximum message size must be the service's: set the same on" + " both sides.";
            case NOT_CONNECTED, TIME_OUT, CONNECTION_ABORTED, CONNECTION_RESET, IO_FAILED ->
                "Check that the service runs at the address in the service file" + addressOf(device) + ".";
            default -> error.advice();
        };
    }

    private static String aboutServiceFile(DeviceInfo device) {
        var name = ServiceFile.named().orElse("");
        if (name.isEmpty()) {
            return ServiceFile.VARIABLE + " is not set: have it name the file that says where the" + " service is.";
        }
        try {
            ServiceFile.read(Path.of(name));
        } catch (ServiceFileException | UncheckedIOException e) {
            return e.getMessage() + ".";
        }
        return "No line of the service file " + name + " is for this host and the device at "
                + device.pciAddress() + ": add one, or have " + ServiceFile.VARIABLE
                + " name another file. The library's log (-Djurom.log.level=error) may say more.";
    }

    private static String addressOf(DeviceInfo device) {
        var name = ServiceFile.named().orElse(null);
        if (name == null) {
            return "";
        }
        try {
            var addresses = ServiceFile.read(Path.of(name)).entries().stream()
                    .filter(entry -> entry.devicePciAddress().equalsIgnoreCase(device.pciAddress()))
                    .map(ServiceFile.Entry::deviceHost)
                    .distinct()
                    .toList();
            return " " + name + " (" + String.join(" or ", addresses) + ")";
        } catch (ServiceFileException | UncheckedIOException e) {
            return " " + name;
        }
    }
}
