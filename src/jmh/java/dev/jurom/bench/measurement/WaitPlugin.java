// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.core.DocaError;
import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The counterpart of {@code worker_wait.c}: commands that wait, and record when the plugin is notified that a host no
 * longer needs an answer. A command is the number of an {@link Action} and a duration in milliseconds.
 */
public final class WaitPlugin implements WorkerPlugin {

    /** The name of the plugin. */
    public static final String NAME = "worker_java_wait";

    /** The actions of commands. */
    public enum Action {
        /** Blocks for the duration, without a check. */
        BLOCK,
        /** Runs for the duration, or until the command is not wanted. */
        WORK,
        /** Is answered after a cancellation only. */
        HOLD,
        /** Answers with the last notice, and forgets it. */
        NOTICE
    }

    /** The ways in which a plugin is notified that an answer is not needed. */
    public enum Cause {
        /** It was not. */
        NONE,
        /** The command called {@code isWanted}, which returned false. */
        NOT_WANTED,
        /** The action of {@code onCancel} ran. */
        CANCELLED,
        /** The host has disconnected. */
        HOST_LEFT
    }

    private static final long PART = TimeUnit.MICROSECONDS.toNanos(100);

    private Cause cause = Cause.NONE;
    private long time; // a value of System.nanoTime

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long version() {
        return 1;
    }

    @Override
    public void command(Command command, Responder responder) throws InterruptedException {
        var action = Action.values()[(int) command.payload().get(ValueLayout.JAVA_LONG_UNALIGNED, 0)];
        var milliseconds = command.payload().get(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES);
        switch (action) {
            case BLOCK -> {
                Thread.sleep(milliseconds);
                reply(responder);
            }
            case WORK -> work(command, responder, milliseconds);
            case HOLD -> {
                var later = responder.defer();
                responder.onCancel(() -> {
                    record(Cause.CANCELLED);
                    later.fail(DocaError.SKIPPED, "cancelled");
                });
            }
            case NOTICE -> {
                reply(responder);
                cause = Cause.NONE;
            }
        }
    }

    private void work(Command command, Responder responder, long milliseconds) {
        var end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (System.nanoTime() - end < 0) {
            if (!command.isWanted()) {
                record(Cause.NOT_WANTED);
                responder.fail(DocaError.SKIPPED, "not wanted");
                return;
            }
            LockSupport.parkNanos(PART);
        }
        reply(responder);
    }

    private void reply(Responder responder) {
        responder.room().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, cause.ordinal());
        responder.room().set(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES, time);
        responder.reply(2 * Long.BYTES);
    }

    private void record(Cause now) {
        cause = now;
        time = System.nanoTime();
    }

    @Override
    public void hostLeft(long host) {
        record(Cause.HOST_LEFT);
    }
}
