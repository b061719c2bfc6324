// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The plugins that a host of another machine may use. Each process that reaches the endpoint of a worker with UCX
 * reads and writes that worker's memory, and such workers reach those of the same user, so plugins that may open
 * UCX are used only where an operator names them. This class is immutable.
 *
 * @param names the names of the plugins, without {@code worker_}; if empty, all that open no UCX
 */
public record PluginGrant(Optional<Set<String>> names) {

    /** All plugins that open no UCX. */
    public static final PluginGrant WITHOUT_UCX = new PluginGrant(Optional.empty());

    private static final String PREFIX = "worker_";

    /**
     * Grants the named plugins and no others.
     *
     * @param names their names, which may lack {@code worker_}
     * @return the grant
     */
    public static PluginGrant of(Set<String> names) {
        return new PluginGrant(
                Optional.of(names.stream().map(PluginGrant::withoutPrefix).collect(Collectors.toUnmodifiableSet())));
    }

    private static String withoutPrefix(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    /**
     * Returns whether the host may use a plugin.
     *
     * @param plugin the plugin
     * @return whether it may
     */
    public boolean includes(Plugin plugin) {
        return names.map(granted -> granted.contains(withoutPrefix(plugin.info().name())))
                .orElse(!plugin.usesUcx());
    }

    /**
     * Returns whether this grant includes each plugin, present or future, that another one includes.
     *
     * @param other the other grant
     * @return true if the host loses no rights when this replaces the other
     */
    public boolean covers(PluginGrant other) {
        return equals(other)
                || names.isPresent() && other.names.isPresent() && names.get().containsAll(other.names.get());
    }

    /**
     * Returns the names that no plugin of the service has.
     *
     * @param catalog the plugins of the service
     * @return the names, in alphabetical order
     */
    public Set<String> missing(PluginCatalog catalog) {
        var missing = new TreeSet<String>(names.orElse(Set.of()));
        catalog.infos().forEach(info -> missing.remove(withoutPrefix(info.name())));
        return missing;
    }
}
