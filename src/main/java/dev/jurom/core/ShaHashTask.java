// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.NativeTask;
import java.util.function.Consumer;

/** Hashes the data of a list of buffers. Stands for {@code struct doca_sha_task_hash}. */
public final class ShaHashTask extends MemoryTask {

    private Consumer<? super ShaHashTask> listener;

    ShaHashTask(ShaContext sha, NativeTask task, Buffer source, Buffer destination) {
        super(sha, task, source, destination);
    }

    /**
     * Hashes another list at the next submit. Stands for {@code doca_sha_task_hash_set_src}.
     *
     * @param buffer the first buffer of a list
     * @return this
     */
    public ShaHashTask setSource(Buffer buffer) {
        requireIdle();
        check(doca_h.doca_sha_task_hash_set_src(object(), buffer.handle()),
                "doca_sha_task_hash_set_src", this);
        source(buffer);
        return this;
    }

    /**
     * Puts the hash elsewhere at the next submit. Stands for {@code doca_sha_task_hash_set_dst}.
     *
     * @param buffer where it is appended
     * @return this
     */
    public ShaHashTask setDestination(Buffer buffer) {
        requireIdle();
        check(doca_h.doca_sha_task_hash_set_dst(object(), buffer.handle()),
                "doca_sha_task_hash_set_dst", this);
        destination(buffer);
        return this;
    }

    /**
     * Uses another hash function at the next submit. Stands for
     * {@code doca_sha_task_hash_set_algorithm}.
     *
     * @param algorithm the hash function
     * @return this
     */
    public ShaHashTask setAlgorithm(ShaAlgorithm algorithm) {
        requireIdle();
        check(doca_h.doca_sha_task_hash_set_algorithm(object(), algorithm.ordinal()),
                "doca_sha_task_hash_set_algorithm", this);
        return this;
    }

    /**
     * Has a listener run when this task completes, inside {@code progress()}.
     *
     * @param newListener takes the place of the previous one; may submit or close this task
     * @return this
     */
    public ShaHashTask onCompletion(Consumer<? super ShaHashTask> newListener) {
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
        return "hash task";
    }
}
