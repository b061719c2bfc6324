// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Brings the files of the software DOCA along, for {@link DocaRuntime} to unpack. Found by
 * {@link java.util.ServiceLoader}; the artifact {@code dev.jurom:jurom-native} has the one that
 * ships with jurom. Any thread may use it.
 */
public interface SoftwareBundle {

    /**
     * Opens one of its files.
     *
     * @param machine the machine's architecture as {@code uname -m} prints it, such as
     *        {@code x86_64}
     * @param file the path below an installation's prefix, such as {@code bin/urom_worker}
     * @return the file's content, which the caller closes; empty if this bundle does not have it
     * @throws IOException if it has it and cannot read it
     */
    Optional<InputStream> open(String machine, String file) throws IOException;
}
