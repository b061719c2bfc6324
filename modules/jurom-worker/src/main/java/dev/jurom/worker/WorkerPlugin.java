// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

/**
 * A plugin of a worker. The worker creates one instance through the public constructor without
 * parameters, and calls all methods on its only thread: while a method runs, the worker serves no
 * other command. A command of more than 60 seconds has to announce its duration by
 * {@link Command#expectDuration}, or to be deferred to another thread. Other threads may only use a {@link
 * DeferredResponse} and an {@link ImportedMemory}.
 *
 * <p>An exception fails the command, and the worker continues; the host receives the exception's
 * class and message. {@link System#exit} ends the worker with all its plugins.
 */
public interface WorkerPlugin {

    /**
     * Returns the name by which hosts find the plugin.
     *
     * @return up to 47 letters, digits, {@code -} and {@code _}, the same at each call
     */
    String name();

    /**
     * Returns the version of the plugin, which each {@link dev.jurom.plugin.Offload} names.
     *
     * @return 1 or more, the same at each call
     */
    long version();

    /**
     * Prepares the plugin before the first command. The worker does not start if this method throws,
     * and the host receives the exception's class and message.
     *
     * @throws Exception if the plugin cannot run
     */
    default void open() throws Exception {}

    /**
     * Executes a command. The plugin answers it exactly once through the responder, or defers the
     * answer. A command that is neither answered nor deferred when this method returns fails with
     * {@code UNEXPECTED}.
     *
     * @param command the command, valid only during this call
     * @param responder answers the command, valid only during this call
     * @throws Exception if the command fails: with {@code INVALID_VALUE} for a
     *         {@link dev.jurom.plugin.CodecException}, the error of a
     *         {@link dev.jurom.core.DocaException}, {@code NO_MEMORY} for an {@link OutOfMemoryError},
     *         and otherwise with {@code UNEXPECTED}
     */
    void command(Command command, Responder responder) throws Exception;

    /**
     * Continues work on deferred commands on the worker's thread. Called after a command that was
     * deferred, and then again for as long as this method returns true.
     *
     * @return true to be called again soon, without the worker sleeping; false if other threads will
     *         answer, or nothing is left to do
     * @throws Exception to be logged; the result is then false
     */
    default boolean progress() throws Exception {
        return false;
    }

    /**
     * Releases the data that the plugin keeps for a host that has disconnected. Answers to it are dropped.
     *
     * @param host the host, as {@link Command#host()} returned it
     */
    default void hostLeft(long host) {}

    /** Releases the plugin's resources when the worker ends. Not called if the worker is killed. */
    default void close() {}
}
