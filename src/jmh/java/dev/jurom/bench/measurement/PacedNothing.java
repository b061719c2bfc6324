// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

/** Answers at once, without a command: the delays of the sending thread by the machine alone. */
final class PacedNothing implements PacedSender {

    private final Answers answers;

    PacedNothing(Answers answers) {
        this.answers = answers;
    }

    @Override
    public boolean trySend(long dueNanos) {
        answers.arrived(dueNanos);
        return true;
    }

    @Override
    public void poll() {}

    @Override
    public void close() {}
}
