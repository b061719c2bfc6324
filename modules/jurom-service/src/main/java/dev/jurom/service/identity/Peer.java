// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.service.plugins.Plugin;
import java.util.Optional;

/**
 * The identity of a host.
 *
 * @param userId the id of the user as which its workers run
 * @param account that user's account, if the system has one
 * @param remote its certificate, address and plugins, if it is on another machine
 * @param confinement the restrictions of its process, if it is on this machine
 * @param name its name in the log
 */
public record Peer(
        int userId, Optional<Account> account, Optional<RemoteHost> remote, Confinement confinement, String name) {

    /** {@return whether the host is on this machine} */
    public boolean isLocal() {
        return remote.isEmpty();
    }

    /**
     * Returns whether the host may use a plugin.
     *
     * @param plugin the plugin
     * @return true also for every host of this machine
     */
    public boolean mayUse(Plugin plugin) {
        return remote.isEmpty() || remote.get().plugins().includes(plugin);
    }
}
