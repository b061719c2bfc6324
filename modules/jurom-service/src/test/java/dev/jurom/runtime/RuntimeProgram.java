// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

/** Prints which libraries are in use. */
public final class RuntimeProgram {

    private RuntimeProgram() {}

    /** Exit code 1 with a stack trace if there are none. */
    public static void main(String[] arguments) {
        System.out.println(DocaRuntime.current().summary());
    }
}
