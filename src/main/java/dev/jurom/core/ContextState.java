// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** The state of a context. Stands for {@code enum doca_ctx_states}. */
public enum ContextState {

    /** Not started, or stopped: the context can be configured and closed. */
    IDLE,

    /**
     * Started: a later {@link ProgressEngine#progress()} makes the context running, or idle if the
     * start failed.
     */
    STARTING,

    /** Running: the context accepts tasks. */
    RUNNING,

    /** Stopped: a later {@link ProgressEngine#progress()} makes the context idle. */
    STOPPING;

    private static final ContextState[] BY_VALUE = values();

    static ContextState of(int value) {
        return BY_VALUE[value];
    }
}
