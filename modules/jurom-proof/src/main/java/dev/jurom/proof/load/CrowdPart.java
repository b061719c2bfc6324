// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.io.IOException;

/** Connections of one kind that come, stand, and go together. Of one thread. */
interface CrowdPart {

    /** Connects all. */
    void gather() throws IOException, InterruptedException;

    /** Looks at them. */
    Standing standing() throws IOException;

    /** Closes all. */
    void disperse() throws IOException, InterruptedException;
}
