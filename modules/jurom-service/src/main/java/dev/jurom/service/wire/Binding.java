// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

/**
 * Where to listen: a numeric IP address, and a range of ports (0 to 0: any).
 *
 * @param address numeric
 * @param portLow 0, or the first one
 * @param portHigh 0, or the last one
 * @param offersUcx whether the host may choose UCX for its commands
 */
public record Binding(String address, int portLow, int portHigh, boolean offersUcx) {

    /** Refuses what the frame cannot carry. */
    public Binding {
        FrameRules.requireAddress(address);
        FrameRules.requirePorts(portLow, portHigh);
    }
}
