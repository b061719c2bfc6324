// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

/** What stands on workers of a service: it is closed before they are. */
interface Dependent {

    /** Whether it stands on a worker. */
    boolean needs(DrivenWorker worker);

    /** Whether it ends by itself, since it never came to be: nobody can close it. */
    boolean isEnding();

    /** Closes it, by a deadline; no effect if that was done. An interrupt is kept for later. */
    void close(Deadline deadline);

    /** What it is, for messages. */
    @Override
    String toString();
}
