// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.runtime.internal.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Which transports UCX is to use for data when nobody has said. Its twin in C is {@code
 * transports.h}.
 */
public final class UcxTransports {

    private static final String VARIABLE = "UCX_TLS";
    private static final Path INFINIBAND = Path.of("/sys/class/infiniband");

    /** A tcp lane beside other shared memory than this costs latency. */
    private static final String WITHOUT_INFINIBAND = "tcp,posix,cma,self";

    private UcxTransports() {
    }

    /**
     * The settings of a context for data.
     *
     * @return for {@link UcxContext#open}: none where there is InfiniBand or {@code UCX_TLS} is set
     */
    public static Map<String, String> settings() {
        return Environment.get(VARIABLE) != null || hasInfiniband() ? Map.of()
                : Map.of("TLS", WITHOUT_INFINIBAND);
    }

    private static boolean hasInfiniband() {
        try (var devices = Files.list(INFINIBAND)) {
            return devices.findAny().isPresent();
        } catch (IOException e) {
            return false; // there is no such directory
        }
    }
}
