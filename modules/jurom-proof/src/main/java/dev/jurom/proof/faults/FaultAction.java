// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be made to happen at a fault point. */
public enum FaultAction {
    /** The call fails. */
    FAIL(1, "the call fails with this errno", FaultParameter.ERRNO),
    /** Less is read or written than was asked for. */
    SHORT(2, "at most so many bytes are read or written", FaultParameter.BYTES),
    /** It takes longer. */
    DELAY(3, "it takes so much longer", FaultParameter.DURATION),
    /** The connection ends. */
    DROP(4, "the connection is shut down, as if the network or the peer had ended it"),
    /** The process is killed. */
    KILL(5, "the process is killed (SIGKILL)"),
    /** The process stands still. */
    STOP(6, "the process stands still (SIGSTOP) until somebody sends it SIGCONT"),
    /** The process crashes. */
    SEGV(7, "the process crashes (SIGSEGV)"),
    /** A header is not what was sent. */
    CORRUPT(
            8,
            "the byte at this offset of the header is changed in the bits of this mask",
            FaultParameter.OFFSET,
            FaultParameter.MASK),
    /** The clock jumps. */
    JUMP(9, "the clock jumps so far, and stays there", FaultParameter.JUMP),
    /** A plugin does not answer. */
    SILENCE(10, "the plugin does not answer"),
    /** A plugin answers twice. */
    TWICE(11, "the plugin answers twice"),
    /** A plugin answers another command. */
    WRONG_CONTEXT(12, "the plugin answers with the context of another command"),
    /** A plugin answers with another length. */
    WRONG_LENGTH(13, "the plugin says another length than it answers with");

    private final int number;
    private final String meaning;
    private final List<FaultParameter> parameters;

    FaultAction(int number, String meaning, FaultParameter... parameters) {
        this.number = number;
        this.meaning = meaning;
        this.parameters = List.of(parameters);
    }

    /** What stands for it in the table. */
    public int number() {
        return number;
    }

    /** What it does, in words. */
    public String meaning() {
        return meaning;
    }

    /** What must be said with it. */
    public List<FaultParameter> parameters() {
        return parameters;
    }

    static Optional<FaultAction> ofNumber(int number) {
        return Stream.of(values()).filter(action -> action.number == number).findFirst();
    }
}
