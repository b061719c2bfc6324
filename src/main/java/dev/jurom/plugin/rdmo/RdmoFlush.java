// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;

/**
 * A flush that a peer has asked for. Once it is done, all requests that the peer sent before it
 * have been carried out or refused, and what they wrote is in the target's memory. Belongs to the
 * peer's thread.
 */
public final class RdmoFlush {

    private boolean done;
    private long failed;
    private DocaError error = DocaError.SUCCESS;

    RdmoFlush() {}

    /** The worker has answered. */
    void answered(long failedRequests, DocaError firstError) {
        done = true;
        failed = failedRequests;
        error = firstError;
    }

    /**
     * Whether the worker has answered.
     *
     * @return true once {@link #failed()} and {@link #error()} are final
     */
    public boolean isDone() {
        return done;
    }

    /**
     * How many of the peer's requests since its last flush were not carried out.
     *
     * @return 0 or more; 0 before this is done
     */
    public long failed() {
        return failed;
    }

    /**
     * Why the first of those was not carried out.
     *
     * @return {@link DocaError#SUCCESS} if all were, or this is not done: {@code NOT_FOUND} for a
     *         key or a client that is not known, {@code INVALID_VALUE} for memory outside a region
     *         and for a malformed request, {@code NO_MEMORY} for too much at a time
     */
    public DocaError error() {
        return error;
    }

    /**
     * Requires that every request was carried out.
     *
     * @throws IllegalStateException if this is not done
     * @throws DocaException if a request was not carried out
     */
    public void requireSuccess() {
        if (!done) {
            throw new IllegalStateException("The worker has not answered this flush yet");
        }
        if (failed > 0) {
            throw new DocaException(
                    error,
                    RdmoPlugin.NAME,
                    failed + " of the requests before a flush",
                    switch (error) {
                        case NOT_FOUND ->
                            "The key or the client that a request names is not known" + " to the worker, or no more.";
                        case INVALID_VALUE ->
                            "A request reaches outside of the region that its key" + " stands for, or is malformed.";
                        case NO_MEMORY -> "Flush more often, or send less at a time.";
                        default -> error.advice();
                    });
        }
    }
}
