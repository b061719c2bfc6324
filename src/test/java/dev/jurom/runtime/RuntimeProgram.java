// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

/** Prints the libraries in use. */
public final class RuntimeProgram {

    private RuntimeProgram() {}

    /** Exits with code 1 and a stack trace if no libraries are found. */
    public static void main(String[] arguments) {
        System.out.println(DocaRuntime.current().summary());
    }
}
