// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

/**
 * Where a fault point is put into a class when it is loaded.
 *
 * @param className the class, with dots
 * @param method the method; of several of that name, all
 * @param moment when in it
 */
public record WovenPlace(String className, String method, Moment moment) {

    /** When in a method. */
    public enum Moment {
        /** Before anything else. */
        ENTRY,
        /** When it is about to return. */
        EXIT
    }
}
