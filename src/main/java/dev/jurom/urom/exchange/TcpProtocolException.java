// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import java.io.IOException;
import java.io.Serial;

/** The other side does not keep to the protocol. The message ends a sentence about it. */
final class TcpProtocolException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    TcpProtocolException(String message) {
        super(message);
    }
}
