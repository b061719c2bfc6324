// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/**
 * A listener for changes of a context's state. Stands for
 * {@code doca_ctx_state_changed_callback_t}.
 *
 * <p>It is called by the thread that owns the engine, when the context is already in the next
 * state, inside the method that changed it: {@link ProgressEngine#progress()},
 * {@link Context#start()} or {@link Context#stop()}. That method rethrows exceptions of the
 * listener. The listener may create and submit tasks on {@link ContextState#RUNNING} and close the
 * context on {@link ContextState#IDLE}. It must not call the progress engine.
 */
@FunctionalInterface
public interface ContextStateListener {

    /**
     * Called when the state of a context has changed.
     *
     * @param context the context
     * @param previous the state before the change
     * @param next the state after the change
     */
    void stateChanged(Context context, ContextState previous, ContextState next);
}
