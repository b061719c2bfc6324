// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.List;

/** An action at a fault point, in the order of {@code enum fault_action} in the C code. */
public enum FaultAction {
    /** The call fails with this errno. */
    FAIL(FaultParameter.ERRNO),
    /** At most this many bytes are read or written. */
    SHORT(FaultParameter.BYTES),
    /** The step is delayed by this time. */
    DELAY(FaultParameter.DURATION),
    /** The connection is shut down, as if the network or the peer had closed it. */
    DROP,
    /** The process is killed (SIGKILL). */
    KILL,
    /** The process is stopped (SIGSTOP) until it receives SIGCONT. */
    STOP,
    /** The process crashes (SIGSEGV). */
    SEGV,
    /** The bits of a mask are inverted in a byte of the header. */
    CORRUPT(FaultParameter.OFFSET, FaultParameter.MASK),
    /** The clock jumps by this time, permanently. */
    JUMP(FaultParameter.JUMP),
    /** The plugin does not answer. */
    SILENCE,
    /** The plugin answers twice. */
    TWICE,
    /** The plugin answers with the context of another command. */
    WRONG_CONTEXT,
    /** The plugin reports a length that differs from that of its answer. */
    WRONG_LENGTH;

    private final List<FaultParameter> parameters;

    FaultAction(FaultParameter... parameters) {
        this.parameters = List.of(parameters);
    }

    /** Returns the value in the fault table, where 0 means no action. */
    int number() {
        return ordinal() + 1;
    }

    static FaultAction ofNumber(int number) {
        return values()[number - 1];
    }

    /** Returns the parameters of the action. */
    List<FaultParameter> parameters() {
        return parameters;
    }
}
