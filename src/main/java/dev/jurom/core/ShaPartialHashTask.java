// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.NativeTask;
import java.util.function.Consumer;

/**
 * Hashes data in parts: one a submit, all but the last of a multiple of the block's length. Before
 * the last one, call {@link #setFinal()}; after it, {@link #reset()} begins a new hash. Stands for
 * {@code struct doca_sha_task_partial_hash}.
 */
public final class ShaPartialHashTask extends MemoryTask {

    private Consumer<? super ShaPartialHashTask> listener;

    ShaPartialHashTask(ShaContext sha, NativeTask task, Buffer source, Buffer destination) {
        super(sha, task, source, destination);
    }

    /**
     * Chooses the next part. Stands for {@code doca_sha_task_partial_hash_set_src}.
     *
     * @param buffer the first buffer of a list
     * @return this
     */
    public ShaPartialHashTask setSource(Buffer buffer) {
        requireIdle();
        check(doca_h.doca_sha_task_partial_hash_set_src(object(), buffer.handle()),
                "doca_sha_task_partial_hash_set_src", this);
        source(buffer);
        return this;
    }

    /**
     * Puts the hash elsewhere. Stands for {@code doca_sha_task_partial_hash_set_dst}.
     *
     * @param buffer where it is appended
     * @return this
     */
    public ShaPartialHashTask setDestination(Buffer buffer) {
        requireIdle();
        check(doca_h.doca_sha_task_partial_hash_set_dst(object(), buffer.handle()),
                "doca_sha_task_partial_hash_set_dst", this);
        destination(buffer);
        return this;
    }

    /**
     * Uses another hash function. Stands for {@code doca_sha_task_partial_hash_set_algorithm}.
     *
     * @param algorithm the hash function
     * @return this
     * @throws DocaException if a hash has begun
     */
    public ShaPartialHashTask setAlgorithm(ShaAlgorithm algorithm) {
        requireIdle();
        check(doca_h.doca_sha_task_partial_hash_set_algorithm(object(), algorithm.ordinal()),
                "doca_sha_task_partial_hash_set_algorithm", this);
        return this;
    }

    /**
     * Makes the next part the last. Stands for {@code doca_sha_task_partial_hash_set_is_final_buf}.
     *
     * @return this
     */
    public ShaPartialHashTask setFinal() {
        requireIdle();
        check(doca_h.doca_sha_task_partial_hash_set_is_final_buf(object()),
                "doca_sha_task_partial_hash_set_is_final_buf", this);
        return this;
    }

    /**
     * Whether the last part was hashed, and the hash is in the destination. Stands for
     * {@code doca_sha_task_partial_hash_get_has_result}.
     *
     * @return true from then until {@link #reset()}
     */
    public boolean hasResult() {
        requireIdle();
        return doca_h.doca_sha_task_partial_hash_get_has_result(object()) != 0;
    }

    /**
     * Begins a new hash. Stands for {@code doca_sha_task_partial_hash_reset}.
     *
     * @return this
     */
    public ShaPartialHashTask reset() {
        requireIdle();
        check(doca_h.doca_sha_task_partial_hash_reset(object()), "doca_sha_task_partial_hash_reset",
                this);
        return this;
    }

    /**
     * Has a listener run when a part completes, inside {@code progress()}.
     *
     * @param newListener takes the place of the previous one; may submit or close this task
     * @return this
     */
    public ShaPartialHashTask onCompletion(Consumer<? super ShaPartialHashTask> newListener) {
        requireUsable();
        listener = newListener;
        return this;
    }

    @Override
    protected void completed() {
        if (listener != null) {
            listener.accept(this);
        }
    }

    @Override
    public String toString() {
        return "partial hash task";
    }
}
