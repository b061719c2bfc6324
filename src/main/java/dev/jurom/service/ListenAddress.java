// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Whether a service may listen at an address, and can. */
final class ListenAddress {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    private ListenAddress() {
    }

    /**
     * Waits until the network device of an address is up. UCX looks at the devices once, in the
     * beginning: hosts that came to the address of a device that was down then would never be let
     * in. The system may take a second to bring up a device that has just been made or plugged in.
     *
     * @param hasKey whether the service asks hosts for a key
     * @param deadline how long to wait
     * @throws DaemonException if the address is unknown, needs a key, or stays down
     */
    static void require(InetSocketAddress address, boolean hasKey, Duration deadline) {
        if (address.isUnresolved()) {
            throw new DaemonException("The service cannot listen at the unknown host \""
                    + address.getHostString() + "\"", null);
        }
        if (!hasKey && !address.getAddress().isLoopbackAddress()) {
            throw new DaemonException("The service does not listen at " + address
                    + " without a key: anybody could start programs here; give it a key file, or"
                    + " let it listen at 127.0.0.1", null);
        }
        var end = System.nanoTime() + deadline.toNanos();
        while (!isUp(address)) {
            if (System.nanoTime() - end > 0) {
                throw new DaemonException("The service cannot listen at " + address
                        + ": its network device is down; bring it up and start the service again",
                        null);
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    /** True also for the address of no device, which the attempt to listen there finds out. */
    private static boolean isUp(InetSocketAddress address) {
        try {
            var device = NetworkInterface.getByInetAddress(address.getAddress());
            return device == null || device.isUp();
        } catch (SocketException e) {
            throw new DaemonException("The network devices of this machine cannot be listed: "
                    + e.getMessage(), e);
        }
    }
}
