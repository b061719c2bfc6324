// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;

/** Unpacks the software DOCA and runs until it is killed. */
public final class CacheUserProgram {

    private CacheUserProgram() {}

    /** Prints the folder and {@code ready}. */
    public static void main(String[] arguments) throws IOException {
        System.out.println(SoftwareInstallation.current().prefix());
        System.out.println("ready");
        System.in.read();
    }
}
