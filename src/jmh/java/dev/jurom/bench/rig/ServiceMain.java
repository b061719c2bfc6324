// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.cli.UromDaemonMain;
import java.io.IOException;

/** The service as a process that exits when its standard input is closed. */
public final class ServiceMain {

    private ServiceMain() {}

    /**
     * Runs the service.
     *
     * @param arguments those of {@link UromDaemonMain}
     */
    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().start(ServiceMain::exitWithInput);
        UromDaemonMain.main(arguments);
    }

    private static void exitWithInput() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (IOException e) {
            // treated like the end of the input
        }
        System.exit(0);
    }
}
