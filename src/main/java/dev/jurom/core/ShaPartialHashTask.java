// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.MemorySegment;

/**
 * A task that hashes data in parts. Stands for {@code struct doca_sha_task_partial_hash}.
 *
 * <p>Each submit hashes one part. The length of each part, except the last, must be a multiple of
 * the {@linkplain ShaContext#partialBlockSize block length}. Call {@link #setFinal()} before
 * submitting the last part, and {@link #reset()} after it to begin a new hash.
 *
 * <p>{@link #setSource} stands for {@code doca_sha_task_partial_hash_set_src},
 * {@link #setDestination} stands for {@code doca_sha_task_partial_hash_set_dst}; {@link #source()}
 * is in place of {@code doca_sha_task_partial_hash_get_src}, {@link #destination()} is in place of
 * {@code doca_sha_task_partial_hash_get_dst}.
 */
public final class ShaPartialHashTask extends MemoryTask<ShaPartialHashTask> {

    ShaPartialHashTask(ShaContext sha, NativeTask task, Buffer source, Buffer destination) {
        super(sha, task, source, destination);
    }

    /**
     * Sets the hash function. Stands for {@code doca_sha_task_partial_hash_set_algorithm}.
     *
     * @param algorithm the hash function
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     * @throws DocaException if a part was already hashed
     */
    public ShaPartialHashTask setAlgorithm(ShaAlgorithm algorithm) {
        requireIdle();
        check(
                doca_h.doca_sha_task_partial_hash_set_algorithm(object(), algorithm.ordinal()),
                "doca_sha_task_partial_hash_set_algorithm",
                this);
        return this;
    }

    /**
     * Marks the next part as the last one. Stands for
     * {@code doca_sha_task_partial_hash_set_is_final_buf}.
     *
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     */
    public ShaPartialHashTask setFinal() {
        requireIdle();
        check(
                doca_h.doca_sha_task_partial_hash_set_is_final_buf(object()),
                "doca_sha_task_partial_hash_set_is_final_buf",
                this);
        return this;
    }

    /**
     * Returns whether the last part was hashed and the hash is in the destination. Stands for
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
     * @throws IllegalStateException if this task is in flight or closed
     */
    public ShaPartialHashTask reset() {
        requireIdle();
        check(doca_h.doca_sha_task_partial_hash_reset(object()), "doca_sha_task_partial_hash_reset", this);
        return this;
    }

    /**
     * Returns the hash function. Stands for {@code doca_sha_task_partial_hash_get_algorithm}.
     *
     * @return the function that the next submit uses
     */
    public ShaAlgorithm algorithm() {
        requireUsable();
        return ShaAlgorithm.of(doca_h.doca_sha_task_partial_hash_get_algorithm(object()));
    }

    /**
     * Returns whether the next or latest part is marked as the last one. Stands for
     * {@code doca_sha_task_partial_hash_get_is_final}.
     *
     * @return true from {@link #setFinal()} until {@link #reset()}
     */
    public boolean isFinal() {
        requireIdle();
        return doca_h.doca_sha_task_partial_hash_get_is_final(object()) != 0;
    }

    @Override
    void useSource(MemorySegment buffer) {
        check(doca_h.doca_sha_task_partial_hash_set_src(object(), buffer), "doca_sha_task_partial_hash_set_src", this);
    }

    /** Fails with {@code BAD_STATE} after the first part, until the digest is written. */
    @Override
    void useDestination(MemorySegment buffer) {
        check(doca_h.doca_sha_task_partial_hash_set_dst(object(), buffer), "doca_sha_task_partial_hash_set_dst", this);
    }

    @Override
    ShaPartialHashTask self() {
        return this;
    }

    @Override
    public String toString() {
        return "partial hash task";
    }
}
