// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;

/** Turns the status of a C call into nothing, or into an exception. */
public final class Status {

    private Status() {}

    /**
     * Requires success.
     *
     * @param status what the call answered
     * @param function the call's name
     * @param subject what it was called for; asked for its text on failure alone
     * @throws DocaException unless {@code status} is success
     */
    public static void check(int status, String function, Object subject) {
        if (status != 0) {
            throw new DocaException(DocaError.of(status), function, subject.toString());
        }
    }

    /**
     * Requires success, and on failure gives an advice of its own for one of the errors.
     *
     * @param status what the call answered
     * @param function the call's name
     * @param subject what it was called for
     * @param expected the error that the advice is for
     * @param advice one sentence
     * @throws DocaException unless {@code status} is success
     */
    public static void check(int status, String function, Object subject, DocaError expected, String advice) {
        if (status == expected.code()) {
            throw new DocaException(expected, function, subject.toString(), advice);
        }
        check(status, function, subject);
    }
}
