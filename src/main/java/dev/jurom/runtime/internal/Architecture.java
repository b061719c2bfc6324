// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

/** The architecture of the machine. */
final class Architecture {

    private Architecture() {}

    /** Returns the name as {@code uname -m} prints it. */
    static String name() {
        var architecture = System.getProperty("os.arch");
        return architecture.equals("amd64") ? "x86_64" : architecture;
    }
}
