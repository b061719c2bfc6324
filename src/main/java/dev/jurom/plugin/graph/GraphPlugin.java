// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.graph;

import dev.jurom.plugin.Offload;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;

/** The graph plugin of a service. */
public final class GraphPlugin {

    /** The plugin's name, which is the name of its file without {@code .so}. */
    public static final String NAME = "worker_graph";

    /** The version of the plugin that this host side supports. */
    public static final long VERSION = 1;

    /** Sends a value and returns the same value. */
    public static final Offload<Long, Long> LOOPBACK =
            Offload.of(NAME, VERSION, GraphCodec::packLoopback, GraphCodec::loopbackData);

    private GraphPlugin() {}

    /**
     * Finds the plugin of a service.
     *
     * @param service a running service
     * @return the plugin, in the version that this host side supports
     * @throws dev.jurom.core.DocaException with {@code NOT_FOUND} if the service does not offer it
     * @throws IllegalStateException if it has another version
     */
    public static PluginInfo find(UromService service) {
        return service.plugin(NAME).requireVersion(VERSION);
    }
}
