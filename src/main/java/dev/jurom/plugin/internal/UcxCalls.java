// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.ucx.UcxException;
import java.util.function.Supplier;

/** Calls of UCX whose failures become a {@link DocaException}, because the package of UCX is not exported. */
public final class UcxCalls {

    private UcxCalls() {}

    /**
     * Executes calls of UCX.
     *
     * @param <T> the type of the result
     * @param error the status of a failure
     * @param function the C function that represents the calls
     * @param calls the calls
     * @return their result
     * @throws DocaException with the status, if UCX fails; its cause is the exception of UCX
     */
    public static <T> T call(DocaError error, String function, Supplier<T> calls) {
        try {
            return calls.get();
        } catch (UcxException e) {
            throw failure(error, function, e);
        }
    }

    /**
     * Creates the exception for a failure of UCX.
     *
     * @param error the status
     * @param function the C function that failed
     * @param cause the exception of UCX
     * @return an exception with that as its cause
     */
    public static DocaException failure(DocaError error, String function, Throwable cause) {
        var failure =
                DocaException.of(error, function, String.valueOf(cause.getMessage()), error.advice(), new byte[0]);
        failure.initCause(cause);
        return failure;
    }
}
