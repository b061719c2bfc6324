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

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The kind of a fault point, which determines its actions. */
public enum FaultKind {
    /** A step of a protocol. */
    STATE(DELAY, KILL, STOP, SEGV),
    /** A step of a protocol with a connection. */
    CONNECTION(DROP, DELAY, KILL, STOP, SEGV),
    /** A system call. */
    CALL(FAIL, DELAY, KILL, STOP, SEGV),
    /** A memory allocation. */
    ALLOCATION(FAIL),
    /** A read or write. */
    TRANSFER(FAIL, SHORT, DELAY, KILL, STOP, SEGV),
    /** A header before it is sent. */
    HEADER(CORRUPT),
    /** A clock reading. */
    CLOCK(JUMP),
    /** A plugin's answer. */
    ANSWER(SILENCE, TWICE, WRONG_CONTEXT, WRONG_LENGTH);

    private final Set<FaultAction> actions;

    FaultKind(FaultAction... actions) {
        this.actions = Collections.unmodifiableSet(EnumSet.copyOf(List.of(actions)));
    }

    /** Returns the possible actions. */
    public Set<FaultAction> actions() {
        return actions;
    }

    /**
     * Returns the parameters of an action at this kind of point. The failure of an allocation has no
     * parameter, since there is only one possible errno.
     */
    public List<FaultParameter> parameters(FaultAction action) {
        return this == ALLOCATION ? List.of() : action.parameters();
    }
}
