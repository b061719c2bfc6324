// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Provides the files of the software DOCA, which {@link DocaRuntime} unpacks. Located through
 * {@link java.util.ServiceLoader}; the artifact {@code dev.jurom:jurom-native} contains the
 * implementation of jurom. Implementations must be thread-safe.
 */
public interface SoftwareBundle {

    /**
     * Opens a file.
     *
     * @param machine the architecture of the machine as {@code uname -m} prints it, such as
     *         {@code x86_64}
     * @param file the path relative to the prefix of an installation, such as
     *         {@code bin/urom_worker}
     * @return the content of the file, which the caller closes; empty if this bundle does not
     *         contain it
     * @throws IOException if the file cannot be read
     */
    Optional<InputStream> open(String machine, String file) throws IOException;
}
