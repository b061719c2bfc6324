// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.service.wire.Bytes;
import java.util.Optional;

/**
 * The identity of a host.
 *
 * @param userId the id of the user as which its workers run
 * @param account that user's account, if the system has one
 * @param certificate the certificate that it presented, if it is on another machine
 * @param confinement the restrictions of its process, if it is on this machine
 * @param name its name in the log
 */
public record Peer(
        int userId, Optional<Account> account, Optional<Bytes> certificate, Confinement confinement, String name) {

    /** {@return whether the host is on this machine} */
    public boolean isLocal() {
        return certificate.isEmpty();
    }
}
