// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.processes;

import dev.jurom.service.linux.ChildProgram;
import dev.jurom.service.threads.Timers;
import org.jspecify.annotations.Nullable;

/** A process of the {@link Launcher}, from the request for it to its end. This class is thread-safe. */
public final class LaunchedProcess {

    /** Receives the events of a process, on the thread of the poller: no method may block. */
    public interface Listener {

        /**
         * The process has been created and has its descriptors.
         *
         * @param id the process id
         * @param start its start time in clock ticks after boot; 0 if it has exited at once
         */
        default void started(int id, long start) {}

        /**
         * The last event.
         *
         * @param end the end of the process
         */
        void ended(ProcessEnd end);
    }

    private final Launcher launcher;
    private final ChildProgram program;
    private final long request;
    private final Listener listener;
    private final Timers.Timer unanswered;
    private volatile @Nullable ProcessEnd end;
    private volatile boolean started;

    LaunchedProcess(Launcher launcher, ChildProgram program, long request, Listener listener, Timers.Timer unanswered) {
        this.launcher = launcher;
        this.program = program;
        this.request = request;
        this.listener = listener;
        this.unanswered = unanswered;
    }

    /** Returns the instance of the launcher that has received the request. */
    ChildProgram program() {
        return program;
    }

    long request() {
        return request;
    }

    void start(int id, long startTime) {
        unanswered.cancel();
        started = true;
        listener.started(id, startTime);
    }

    void end(ProcessEnd its) {
        unanswered.cancel();
        end = its;
        listener.ended(its);
    }

    /** Returns whether the launcher has not answered the request yet. */
    boolean isUnanswered() {
        return !started && end == null;
    }

    /** Kills the process, also before it has started. Does not block. No effect once it has ended. */
    public void kill() {
        if (end == null) {
            launcher.kill(this);
        }
    }
}
