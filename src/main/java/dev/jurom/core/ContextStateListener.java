// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/**
 * Hears of a context's changes of state. Stands for {@code doca_ctx_state_changed_callback_t}.
 *
 * <p>It runs when the context is already in the next state, inside the call that changed it:
 * {@link ProgressEngine#progress()}, {@link Context#start()} or {@link Context#stop()}, which
 * rethrows what it throws. It may make and submit tasks on {@link ContextState#RUNNING} and close
 * the context on {@link ContextState#IDLE}. It must not call the progress engine.
 */
@FunctionalInterface
public interface ContextStateListener {

    /**
     * The context has changed its state.
     *
     * @param context whose state
     * @param previous the state that it left
     * @param next the state that it is in
     */
    void stateChanged(Context context, ContextState previous, ContextState next);
}
