// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An action at a fault point. */
public enum FaultAction {
    /** The call fails. */
    FAIL(1, "the call fails with this errno", FaultParameter.ERRNO),
    /** Fewer bytes are read or written than requested. */
    SHORT(2, "at most this many bytes are read or written", FaultParameter.BYTES),
    /** The step takes longer. */
    DELAY(3, "the step is delayed by this time", FaultParameter.DURATION),
    /** The connection is closed. */
    DROP(4, "the connection is shut down, as if the network or the peer had closed it"),
    /** The process is killed. */
    KILL(5, "the process is killed (SIGKILL)"),
    /** The process is stopped. */
    STOP(6, "the process is stopped (SIGSTOP) until it receives SIGCONT"),
    /** The process crashes. */
    SEGV(7, "the process crashes (SIGSEGV)"),
    /** A header is corrupted. */
    CORRUPT(
            8,
            "the bits of this mask are inverted in the byte at this offset of the header",
            FaultParameter.OFFSET,
            FaultParameter.MASK),
    /** The clock jumps. */
    JUMP(9, "the clock jumps by this time, permanently", FaultParameter.JUMP),
    /** A plugin does not answer. */
    SILENCE(10, "the plugin does not answer"),
    /** A plugin answers twice. */
    TWICE(11, "the plugin answers twice"),
    /** A plugin answers with the context of another command. */
    WRONG_CONTEXT(12, "the plugin answers with the context of another command"),
    /** A plugin reports a wrong length. */
    WRONG_LENGTH(13, "the plugin reports a length that differs from that of its answer");

    private final int number;
    private final String meaning;
    private final List<FaultParameter> parameters;

    FaultAction(int number, String meaning, FaultParameter... parameters) {
        this.number = number;
        this.meaning = meaning;
        this.parameters = List.of(parameters);
    }

    /** Returns the value in the fault table. */
    public int number() {
        return number;
    }

    /** Returns a description. */
    public String meaning() {
        return meaning;
    }

    /** Returns the parameters of the action. */
    public List<FaultParameter> parameters() {
        return parameters;
    }

    static Optional<FaultAction> ofNumber(int number) {
        return Stream.of(values()).filter(action -> action.number == number).findFirst();
    }
}
