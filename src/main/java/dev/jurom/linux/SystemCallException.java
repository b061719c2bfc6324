// SPDX-License-Identifier: Apache-2.0
package dev.jurom.linux;

import java.io.IOException;

/** Reports that a system call failed. */
public final class SystemCallException extends IOException {

    private static final long serialVersionUID = 1L;

    private final int errno;

    SystemCallException(String call, int errno) {
        super(call + ": " + CallState.text(errno));
        this.errno = errno;
    }

    /**
     * Returns the error.
     *
     * @return a number such as {@code EMFILE}
     */
    public int errno() {
        return errno;
    }
}
