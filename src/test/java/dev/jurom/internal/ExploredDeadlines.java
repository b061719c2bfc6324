// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

/** Stands for {@link CommandDeadlines} where all orders are tried: no time passes there. */
final class ExploredDeadlines {

    void expect(long deadline) {
        throw new AssertionError("nothing has a deadline");
    }

    long next() {
        return Long.MAX_VALUE;
    }

    boolean sweepIfDue(long now) {
        return false;
    }

    void failIfOver(Reply reply, long turn) {
        reply.turn();
    }
}
