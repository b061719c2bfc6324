// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A named place in the software where something can be made to happen.
 *
 * @param number its row in the table
 * @param name unique
 * @param kind what stands there
 * @param meaning what it stands for, in words
 * @param woven where the build puts it, if it is not in the C side
 */
public record FaultPoint(int number, String name, FaultKind kind, String meaning, Optional<WovenPlace> woven) {

    private static final String FACADE = "facade_";

    /** In which processes it can be reached: mostly those that its name begins with. */
    public Set<FaultRole> roles() {
        if (woven.isPresent()) {
            return EnumSet.of(name.startsWith(FACADE) ? FaultRole.HOST : FaultRole.DAEMON);
        }
        return switch (name.substring(0, Math.max(0, name.indexOf('_')))) {
            case "host" -> EnumSet.of(FaultRole.HOST);
            case "worker", "plugin" -> EnumSet.of(FaultRole.WORKER);
            default -> EnumSet.of(FaultRole.HOST, FaultRole.WORKER);
        };
    }

    /** What can be made to happen there. A JVM has no crash that leaves nothing behind. */
    public Set<FaultAction> actions() {
        var actions = kind.actions();
        if (woven.isPresent()) {
            actions.remove(FaultAction.SEGV);
        }
        return actions;
    }

    @Override
    public String toString() {
        return name;
    }
}
