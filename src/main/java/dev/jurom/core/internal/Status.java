// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import java.util.Set;

/** Converts the failure status of a C call to an exception. */
public final class Status {

    private Status() {}

    /**
     * Throws an exception unless a status is success.
     *
     * @param status the status that the call returned
     * @param function the name of the C function
     * @param subject the object of the call; {@code toString} is called only after a failure
     * @throws DocaException unless {@code status} is success
     */
    public static void check(int status, String function, Object subject) {
        if (status != 0) {
            throw new DocaException(DocaError.of(status), function, subject.toString());
        }
    }

    /**
     * Throws an exception unless a status is success, with specific advice for one error.
     *
     * @param status the status that the call returned
     * @param function the name of the C function
     * @param subject the object of the call; {@code toString} is called only after a failure
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

    /**
     * Throws an exception unless a status is success, with specific advice for errors that versions
     * of the library return for one cause.
     *
     * @param status the status that the call returned
     * @param function the name of the C function
     * @param subject the object of the call; {@code toString} is called only after a failure
     * @param expected the errors that the advice is for
     * @param advice one sentence
     * @throws DocaException unless {@code status} is success
     */
    public static void check(int status, String function, Object subject, Set<DocaError> expected, String advice) {
        if (status != 0 && expected.contains(DocaError.of(status))) {
            throw new DocaException(DocaError.of(status), function, subject.toString(), advice);
        }
        check(status, function, subject);
    }
}
