// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A named location in the software at which a fault can be injected.
 *
 * @param number the row in the fault table
 * @param name the unique name
 * @param kind the kind of operation
 * @param description the operation, in words
 * @param woven the location in a Java class, or empty for a point in the C code
 */
public record FaultPoint(int number, String name, FaultKind kind, String description, Optional<Location> woven) {

    /**
     * The location of a point in a Java class.
     *
     * @param className the binary name of the class
     * @param method the name of the method, which includes all overloads
     * @param position {@code entry}, {@code exit} (each normal return), or {@code before TYPE.METHOD} (each
     *     call of that method, with the simple name of its class)
     */
    public record Location(String className, String method, String position) {}

    /**
     * Returns the roles of the processes that can reach this point, derived mostly from the prefix of the
     * name.
     */
    public Set<FaultRole> roles() {
        return switch (name.replaceFirst("_.*", "")) {
            case "host", "facade" -> EnumSet.of(FaultRole.HOST);
            case "worker", "plugin" -> EnumSet.of(FaultRole.WORKER);
            case "daemon" -> EnumSet.of(FaultRole.DAEMON);
            default -> EnumSet.of(FaultRole.HOST, FaultRole.WORKER);
        };
    }

    /**
     * Returns the possible actions. They do not include SEGV at points in Java, since a crash of a JVM leaves
     * files.
     */
    public Set<FaultAction> actions() {
        var actions = EnumSet.copyOf(kind.actions());
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
