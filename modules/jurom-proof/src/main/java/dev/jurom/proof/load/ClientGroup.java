// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.io.IOException;

/** A group of connections of one kind. Not thread-safe. */
interface ClientGroup {

    /** Opens all connections. */
    void connect() throws IOException, InterruptedException;

    /** Checks which connections are open. */
    GroupStatus status() throws IOException;

    /** Closes all connections. */
    void disconnect() throws IOException, InterruptedException;
}
