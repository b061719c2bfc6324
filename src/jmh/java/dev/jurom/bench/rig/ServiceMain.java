// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.cli.UromDaemonMain;
import java.io.IOException;

/** The service as a process that ends with whoever started it: when its standard input does. */
public final class ServiceMain {

    private ServiceMain() {}

    /**
     * Runs the service.
     *
     * @param arguments those of {@link UromDaemonMain}
     */
    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().start(ServiceMain::endWithInput);
        UromDaemonMain.main(arguments);
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                continue;
            }
        } catch (IOException e) {
            // as good as its end
        }
        System.exit(0);
    }
}
