// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import java.io.IOException;
import java.io.Serial;

/** Thrown when a peer violates the protocol. The message is the second part of a sentence. */
final class TcpProtocolException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    TcpProtocolException(String message) {
        super(message);
    }
}
