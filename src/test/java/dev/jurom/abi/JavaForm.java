// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

/**
 * A Java member that is the counterpart of a C function according to its Javadoc.
 *
 * @param function the C function
 * @param type the class of the member with its enclosing classes, for example {@code SyncEventTask.Kind}
 * @param member the name of the member
 * @param parameters the simple names of the parameter types, or a star for any
 * @param source the source file, relative to the root of the packages
 * @param summary the first sentence of the Javadoc
 * @param inPlace whether it replaces the function without calling it
 */
record JavaForm(
        String function,
        String type,
        String member,
        String parameters,
        String source,
        String summary,
        boolean inPlace) {

    /** Represents parameters of any types. */
    static final String ANY = "*";

    JavaForm withSummary(String other) {
        return new JavaForm(function, type, member, parameters, source, other, inPlace);
    }

    /** Returns the binary name of the class. */
    String className() {
        var folder = source.substring(0, source.lastIndexOf('/') + 1).replace('/', '.');
        return folder + type.replace('.', '$');
    }
}
