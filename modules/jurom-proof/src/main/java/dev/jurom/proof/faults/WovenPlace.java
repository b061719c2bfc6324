// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

/**
 * Where a fault point is put into a class.
 *
 * @param className the class, with dots
 * @param method the method; of several of that name, all
 * @param moment when in it
 */
public record WovenPlace(String className, String method, Moment moment) {

    /** When in a method. */
    public sealed interface Moment {

        /** The moment that a word of a list names. */
        static Moment parse(String text) {
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

    /** Before anything else. */
    public record Entry() implements Moment {}

    /** When it is about to return, but not by an exception. */
    public record Exit() implements Moment {}

    /**
     * Each time that it is about to call another method.
     *
     * @param type the other's class, without its package
     * @param name the other's name
     */
    public record Before(String type, String name) implements Moment {}
}
