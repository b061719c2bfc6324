// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

/**
 * A Java member that offers what a C function does, as its Javadoc says.
 *
 * @param function the C function
 * @param type the member's class, with the names of those around it: {@code SyncEventTask.Kind}
 * @param member its name
 * @param parameters the simple names of its parameters' types, or the star for any
 * @param source the class's file, relative to the root of its packages
 * @param summary the first sentence of its Javadoc
 * @param inPlace whether it takes the function's place and does not call it
 */
record JavaForm(
        String function,
        String type,
        String member,
        String parameters,
        String source,
        String summary,
        boolean inPlace) {

    /** What stands for parameters of whatever types. */
    static final String ANY = "*";

    JavaForm withSummary(String other) {
        return new JavaForm(function, type, member, parameters, source, other, inPlace);
    }

    /** The binary name of the class. */
    String className() {
        var folder = source.substring(0, source.lastIndexOf('/') + 1).replace('/', '.');
        return folder + type.replace('.', '$');
    }
}
