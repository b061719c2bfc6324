// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The state that the facade hosts of a domain share.
 *
 * @param exchanges the exchange of each member
 * @param left complete if a member has left or cannot continue
 */
record SharedDomain(List<? extends OutOfBandExchange> exchanges, CompletableFuture<Void> left) {

    static SharedDomain of(int members) {
        return new SharedDomain(ThreadExchange.open(members), new CompletableFuture<>());
    }

    /** Called when a member leaves, so that the others do not wait for it. */
    void leave(int member) {
        left.complete(null);
        exchanges.get(member).close();
    }
}
