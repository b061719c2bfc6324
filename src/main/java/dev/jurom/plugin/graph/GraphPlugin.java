// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.graph;

import dev.jurom.plugin.Offload;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;

/** The graph plugin as a service offers it. */
public final class GraphPlugin {

    /** The plugin's name: that of its file without {@code .so}. */
    public static final String NAME = "worker_graph";

    /** The version that this host side was made for. */
    public static final long VERSION = 1;

    /** Sends a value there and back. */
    public static final Offload<Long, Long> LOOPBACK =
            Offload.of(NAME, VERSION, GraphCodec::packLoopback, GraphCodec::loopbackData);

    private GraphPlugin() {}

    /**
     * Finds the plugin.
     *
     * @param service a running service
     * @return the plugin, in the version that this host side was made for
     * @throws dev.jurom.core.DocaException with {@code NOT_FOUND} if the service does not offer it
     * @throws IllegalStateException if it has another version
     */
    public static PluginInfo find(UromService service) {
        return service.plugin(NAME).requireVersion(VERSION);
    }
}
