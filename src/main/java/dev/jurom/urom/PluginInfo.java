// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

/**
 * A plugin that the service offers. Stands for {@code struct doca_urom_service_plugin_info}.
 *
 * @param id one distinct bit, given out by the service; commands carry it
 * @param version what the plugin says of itself; both sides of a plugin must have the same
 * @param name the plugin's file name without {@code .so}
 */
public record PluginInfo(long id, long version, String name) {

    /**
     * Requires that the plugin has the version that its host side was made for.
     *
     * @param expected the host side's version
     * @return this
     * @throws IllegalStateException if it has another; the message names both
     */
    public PluginInfo requireVersion(long expected) {
        if (version != expected) {
            throw new IllegalStateException("The service's plugin \"" + name + "\" has version "
                    + Long.toUnsignedString(version) + " and this host needs version "
                    + Long.toUnsignedString(expected) + ": install the same release on both sides");
        }
        return this;
    }
}
