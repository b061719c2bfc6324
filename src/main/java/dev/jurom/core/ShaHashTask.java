// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.MemorySegment;

/**
 * A task that hashes the data of a list of buffers. Stands for {@code struct doca_sha_task_hash}.
 *
 * <p>{@link #setSource} stands for {@code doca_sha_task_hash_set_src}, {@link #setDestination}
 * stands for {@code doca_sha_task_hash_set_dst}; {@link #source()} is in place of
 * {@code doca_sha_task_hash_get_src}, {@link #destination()} is in place of
 * {@code doca_sha_task_hash_get_dst}.
 */
public final class ShaHashTask extends MemoryTask<ShaHashTask> {

    ShaHashTask(ShaContext sha, NativeTask task, Buffer source, Buffer destination) {
        super(sha, task, source, destination);
    }

    /**
     * Sets the hash function for the next submit. Stands for
     * {@code doca_sha_task_hash_set_algorithm}.
     *
     * @param algorithm the hash function
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     */
    public ShaHashTask setAlgorithm(ShaAlgorithm algorithm) {
        requireIdle();
        check(
                doca_h.doca_sha_task_hash_set_algorithm(object(), algorithm.ordinal()),
                "doca_sha_task_hash_set_algorithm",
                this);
        return this;
    }

    /**
     * Returns the hash function. Stands for {@code doca_sha_task_hash_get_algorithm}.
     *
     * @return the function that the next submit uses
     */
    public ShaAlgorithm algorithm() {
        requireUsable();
        return ShaAlgorithm.of(doca_h.doca_sha_task_hash_get_algorithm(object()));
    }

    @Override
    void useSource(MemorySegment buffer) {
        check(doca_h.doca_sha_task_hash_set_src(object(), buffer), "doca_sha_task_hash_set_src", this);
    }

    @Override
    void useDestination(MemorySegment buffer) {
        check(doca_h.doca_sha_task_hash_set_dst(object(), buffer), "doca_sha_task_hash_set_dst", this);
    }

    @Override
    ShaHashTask self() {
        return this;
    }

    @Override
    public String toString() {
        return "hash task";
    }
}
