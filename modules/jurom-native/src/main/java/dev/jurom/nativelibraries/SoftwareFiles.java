// SPDX-License-Identifier: Apache-2.0
package dev.jurom.nativelibraries;

import dev.jurom.runtime.SoftwareBundle;
import java.io.InputStream;
import java.util.Optional;

/** The files below {@code META-INF/native} of this class's own module or class path. */
public final class SoftwareFiles implements SoftwareBundle {

    /** For {@link java.util.ServiceLoader}. */
    public SoftwareFiles() {}

    @Override
    public Optional<InputStream> open(String machine, String file) {
        return Optional.ofNullable(
                SoftwareFiles.class.getResourceAsStream("/META-INF/native/linux-" + machine + "/" + file));
    }

    /** What messages call it. */
    @Override
    public String toString() {
        return "jurom-native";
    }
}
