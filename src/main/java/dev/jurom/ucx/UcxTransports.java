// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.runtime.internal.Environment;
import java.util.Map;

/**
 * Which transports UCX is to use when nobody has said: those that stay on this machine.
 *
 * <p>UCX's tcp transport listens on every interface as soon as a worker is made, and writes what a
 * peer sends to whatever address the peer names: who reaches the port can write any memory of the
 * process. So it is used, as InfiniBand is, only where {@code UCX_TLS} says so.
 */
public final class UcxTransports {

    private static final String VARIABLE = "UCX_TLS";
    private static final String ON_THIS_MACHINE = "posix,cma,self";

    private UcxTransports() {
    }

    /**
     * The settings of a context for data.
     *
     * @return for {@link UcxContext#open}: none if {@code UCX_TLS} is set
     */
    public static Map<String, String> settings() {
        return Environment.get(VARIABLE) == null ? Map.of("TLS", ON_THIS_MACHINE) : Map.of();
    }
}
