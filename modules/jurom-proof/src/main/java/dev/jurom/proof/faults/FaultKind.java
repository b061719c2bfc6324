// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import static dev.jurom.proof.faults.FaultAction.CORRUPT;
import static dev.jurom.proof.faults.FaultAction.DELAY;
import static dev.jurom.proof.faults.FaultAction.DROP;
import static dev.jurom.proof.faults.FaultAction.FAIL;
import static dev.jurom.proof.faults.FaultAction.JUMP;
import static dev.jurom.proof.faults.FaultAction.KILL;
import static dev.jurom.proof.faults.FaultAction.SEGV;
import static dev.jurom.proof.faults.FaultAction.SHORT;
import static dev.jurom.proof.faults.FaultAction.SILENCE;
import static dev.jurom.proof.faults.FaultAction.STOP;
import static dev.jurom.proof.faults.FaultAction.TWICE;
import static dev.jurom.proof.faults.FaultAction.WRONG_CONTEXT;
import static dev.jurom.proof.faults.FaultAction.WRONG_LENGTH;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What stands at a fault point, and with it the actions that are possible there. */
public enum FaultKind {
    /** A step of a protocol. */
    STATE(DELAY, KILL, STOP, SEGV),
    /** A step of a protocol that has a connection. */
    CONNECTION(DROP, DELAY, KILL, STOP, SEGV),
    /** A system call. */
    CALL(FAIL, DELAY, KILL, STOP, SEGV),
    /** Memory that is asked for. */
    ALLOCATION(FAIL),
    /** A read or write. */
    TRANSFER(FAIL, SHORT, DELAY, KILL, STOP, SEGV),
    /** A header before it is sent. */
    HEADER(CORRUPT),
    /** A clock that is read. */
    CLOCK(JUMP),
    /** A plugin's answer. */
    ANSWER(SILENCE, TWICE, WRONG_CONTEXT, WRONG_LENGTH);

    private final Set<FaultAction> actions;

    FaultKind(FaultAction... actions) {
        this.actions = EnumSet.copyOf(List.of(actions));
    }

    /** What can be made to happen. */
    public Set<FaultAction> actions() {
        return EnumSet.copyOf(actions);
    }

    /** What must be said with an action here: memory that is not there has but one errno. */
    public List<FaultParameter> parameters(FaultAction action) {
        return this == ALLOCATION ? List.of() : action.parameters();
    }
}
