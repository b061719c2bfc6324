// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.IdleStrategy;

/** Loopback commands at a fixed rate through the facade, whose engine thread receives the answers. */
final class PacedFacade implements PacedSender {

    private final FacadeHost host;
    private final Answers answers;

    PacedFacade(MeasurementOptions options, Answers answers) {
        this.answers = answers;
        host = new FacadeHost(
                IdleStrategy.SPIN_THEN_WAIT, options.messageSize, options.depth, options.size, options.peerCore());
    }

    @Override
    public boolean trySend(long dueNanos) {
        var sent = host.worker().trySubmit(host.loopback(), dueNanos);
        sent.ifPresent(answer -> answer.thenAccept(answers::arrived));
        return sent.isPresent();
    }

    /** Yields to the engine thread. */
    @Override
    public void poll() {
        Thread.yield();
    }

    @Override
    public void close() {
        host.close();
    }
}
