// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** Where a context is in its life. Stands for {@code enum doca_ctx_states}. */
public enum ContextState {

    /** Not started, or stopped: it can be configured and closed. */
    IDLE,

    /** Started; a later {@link ProgressEngine#progress()} makes it running, or idle on failure. */
    STARTING,

    /** It has tasks and accepts submissions. */
    RUNNING,

    /** Stopped; a later {@link ProgressEngine#progress()} makes it idle. */
    STOPPING;

    private static final ContextState[] BY_VALUE = values();

    static ContextState of(int value) {
        return BY_VALUE[value];
    }
}
