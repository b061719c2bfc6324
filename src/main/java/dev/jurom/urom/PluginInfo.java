// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.util.Objects;

/**
 * A plugin that a service offers. Stands for {@code struct doca_urom_service_plugin_info}.
 *
 * @param id the id, which the service assigns and commands carry; it has one bit set
 * @param version the version that the plugin reports, which must be the same on both sides
 * @param name the file name of the plugin without {@code .so}
 */
public record PluginInfo(long id, long version, String name) {

    /** Checks the components. */
    public PluginInfo {
        Objects.requireNonNull(name, "name");
    }

    /**
     * Checks the version of the plugin.
     *
     * @param expected the version of the host side
     * @return this
     * @throws IllegalStateException if the plugin has another version; the message states both
     */
    public PluginInfo requireVersion(long expected) {
        if (version != expected) {
            throw new IllegalStateException("The plugin \"" + name + "\" of the service has version "
                    + Long.toUnsignedString(version) + ", but this host needs version "
                    + Long.toUnsignedString(expected) + ": install the same release on both sides");
        }
        return this;
    }
}
