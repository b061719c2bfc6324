// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

/**
 * The location of a fault point in a class.
 *
 * @param className the binary name of the class
 * @param method the name of the method; all overloads
 * @param position the position in the method
 */
public record WovenLocation(String className, String method, Position position) {

    /** A position in a method. */
    public sealed interface Position {

        /** Parses the position column of the list. */
        static Position parse(String text) {
            return switch (text) {
                case "entry" -> new Entry();
                case "exit" -> new Exit();
                default -> {
                    var call = text.replaceFirst("^before ", "");
                    var dot = call.indexOf('.');
                    yield new Before(call.substring(0, dot), call.substring(dot + 1));
                }
            };
        }
    }

    /** At the start of the method. */
    public record Entry() implements Position {}

    /** Before each normal return. */
    public record Exit() implements Position {}

    /**
     * Before each call of another method.
     *
     * @param type the simple name of the class of the called method
     * @param name the name of the called method
     */
    public record Before(String type, String name) implements Position {}
}
