// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;

/**
 * A flush that a peer has requested. Once it is done, the worker has executed or rejected all earlier
 * requests of the peer, and their data is in the target's memory. Confined to the peer's thread.
 */
public final class RdmoFlush {

    private boolean done;
    private long failed;
    private DocaError error = DocaError.SUCCESS;

    RdmoFlush() {}

    /** Completes this with the worker's answer. */
    void answered(long failedRequests, DocaError firstError) {
        done = true;
        failed = failedRequests;
        error = firstError;
    }

    /**
     * Returns whether the worker has answered.
     *
     * @return true once {@link #failed()} and {@link #error()} are final
     */
    public boolean isDone() {
        return done;
    }

    /**
     * Returns the number of the peer's requests since its last flush that the worker rejected.
     *
     * @return 0 or more; 0 before this is done
     */
    public long failed() {
        return failed;
    }

    /**
     * Returns why the worker rejected the first of those requests.
     *
     * @return {@link DocaError#SUCCESS} if it rejected none, or this is not done; {@code NOT_FOUND} for
     *         an unknown key or client, {@code INVALID_VALUE} for an access outside of a region or a
     *         malformed request, {@code NO_MEMORY} if the worker lacked memory for pending requests
     */
    public DocaError error() {
        return error;
    }

    /**
     * Requires that the worker rejected no request.
     *
     * @throws IllegalStateException if this is not done
     * @throws DocaException if it rejected a request
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
                            "The worker does not have, or no longer has, the key or the client of a request.";
                        case INVALID_VALUE ->
                            "A request accesses memory outside of the region of its key, or is malformed.";
                        case NO_MEMORY -> "Flush more often, or send shorter requests.";
                        default -> error.advice();
                    });
        }
    }
}
