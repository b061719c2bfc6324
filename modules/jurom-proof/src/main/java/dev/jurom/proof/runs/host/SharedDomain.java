// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The state that the facade hosts of a domain share.
 *
 * @param exchanges the exchanges, by the index of the member
 * @param left a future that is completed when a member leaves or fails
 */
record SharedDomain(List<? extends OutOfBandExchange> exchanges, CompletableFuture<Void> left) {

    static SharedDomain of(int members) {
        return new SharedDomain(ThreadExchange.open(members), new CompletableFuture<>());
    }

    /** Removes a member, so that the other members do not wait for it. */
    void leave(int member) {
        left.complete(null);
        exchanges.get(member).close();
    }
}
