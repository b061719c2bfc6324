// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

/** The machine's architecture under the name that the C world gives it. */
final class Machine {

    private Machine() {}

    /** The name as {@code uname -m} prints it. */
    static String name() {
        var architecture = System.getProperty("os.arch");
        return architecture.equals("amd64") ? "x86_64" : architecture;
    }
}
