// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

/**
 * The address at which a worker listens: a numeric IP address, and a range of ports (0 to 0: any port).
 *
 * @param address the numeric IP address
 * @param portLow the first port, or 0
 * @param portHigh the last port, or 0
 * @param offersUcx whether the host may choose UCX for its commands
 */
public record Binding(String address, int portLow, int portHigh, boolean offersUcx) {

    /** Rejects values that the frame cannot carry. */
    public Binding {
        FrameRules.requireAddress(address);
        FrameRules.requirePorts(portLow, portHigh);
    }
}
