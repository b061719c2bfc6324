// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where a service is found. Each {@link UromService} and each {@link dev.jurom.Urom} has its own, so
 * that a process can use several services. The library of the vendor supports only
 * {@link #environment()}.
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="services"}
 */
public sealed interface ServiceLocation {

    /**
     * The service that this process has by default: the {@linkplain Embedded embedded service} if the
     * program has opened one, or else the one of the service file that {@value ServiceFile#VARIABLE}
     * names. If there is neither, {@link dev.jurom.Urom} opens an embedded service.
     */
    record Environment() implements ServiceLocation {}

    /**
     * The embedded service that the program opened last and has not closed. If there is none,
     * {@link dev.jurom.Urom} opens one, which all of its connections share.
     */
    record Embedded() implements ServiceLocation {}

    /**
     * The service that a service file has for this host and the device.
     *
     * @param path the path of the file, which is made absolute
     */
    record File(Path path) implements ServiceLocation {

        /** Creates a location. */
        public File {
            path = path.toAbsolutePath();
        }
    }

    /**
     * The service at an address, for each device.
     *
     * @param address {@code HOST}, {@code HOST:PORT} or {@code unix:PATH}, as
     *         {@link ServiceFile.Entry#deviceHost}
     */
    record Address(String address) implements ServiceLocation {

        /**
         * Creates a location.
         *
         * @throws IllegalArgumentException if the address is malformed
         */
        public Address {
            ServiceFile.Entry.requireAddress(address);
        }
    }

    /**
     * Returns the default location.
     *
     * @return the embedded service if the program has opened one, or else the service of
     *         {@value ServiceFile#VARIABLE}
     */
    static ServiceLocation environment() {
        return new Environment();
    }

    /**
     * Returns the location of the embedded service.
     *
     * @return the embedded service that is open last when a service is started
     */
    static ServiceLocation embedded() {
        return new Embedded();
    }

    /**
     * Returns the location in a service file, which is read when a service is started.
     *
     * @param file the path of the service file
     * @return the service of the file
     */
    static ServiceLocation file(Path file) {
        return new File(file);
    }

    /**
     * Returns the location at an address.
     *
     * @param address {@code HOST}, {@code HOST:PORT} or {@code unix:PATH}; the default port is 7471. A
     *         service that listens on TCP requires the key that {@code DOCA_UROM_KEY_FILE} names
     * @return the service at the address
     * @throws IllegalArgumentException if the address is malformed
     */
    static ServiceLocation address(String address) {
        return new Address(Objects.requireNonNull(address));
    }
}
