// SPDX-License-Identifier: Apache-2.0
package dev.jurom.nativelibraries;

import dev.jurom.runtime.SoftwareBundle;
import java.io.InputStream;
import java.util.Optional;

/**
 * Provides the files below {@code META-INF/native} of the module or class path entry that contains
 * this class.
 */
public final class SoftwareFiles implements SoftwareBundle {

    /** Called by {@link java.util.ServiceLoader}. */
    public SoftwareFiles() {}

    @Override
    public Optional<InputStream> open(String machine, String file) {
        return Optional.ofNullable(
                SoftwareFiles.class.getResourceAsStream("/META-INF/native/linux-" + machine + "/" + file));
    }

    /** Returns the name of this bundle for messages. */
    @Override
    public String toString() {
        return "jurom-native";
    }
}
