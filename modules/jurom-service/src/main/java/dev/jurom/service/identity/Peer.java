// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.service.wire.Bytes;
import java.util.Optional;

/**
 * Who a host is.
 *
 * @param userId as whom its workers run
 * @param account that user's account, if the system knows one
 * @param certificate what it has shown, if it is on another machine
 * @param confinement the bounds of its process, if it is on this machine
 * @param name how it is called in the log
 */
public record Peer(
        int userId, Optional<Account> account, Optional<Bytes> certificate, Confinement confinement, String name) {

    public boolean isLocal() {
        return certificate.isEmpty();
    }
}
