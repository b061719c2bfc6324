// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.service.status.ServiceStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Operations on the process of a service. */
final class ProcessOfService {

    private static final int KILL_SECONDS = 5;

    private ProcessOfService() {}

    /** Returns whether the process is stopped, by SIGSTOP or a debugger. */
    static boolean isStopped(ServiceStatus status) {
        try {
            var text = Files.readString(
                    Path.of("/proc", Long.toString(status.process()), "stat"), StandardCharsets.ISO_8859_1);
            var state = text.substring(text.lastIndexOf(')') + 2).charAt(0);
            return state == 'T' || state == 't';
        } catch (IOException e) {
            return false; // the process has just ended
        }
    }

    /** Sends SIGHUP by the shell, since the JDK can send only signals that terminate a process. */
    static void hangUp(ServiceStatus status) throws InterruptedException {
        var number = Long.toString(status.process());
        try {
            var kill = new ProcessBuilder("sh", "-c", "kill -HUP \"$0\"", number)
                    .redirectErrorStream(true)
                    .start();
            kill.getOutputStream().close();
            if (!kill.waitFor(KILL_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                kill.destroyForcibly();
                throw new CommandFailure(
                        ExitCode.NOT_PERMITTED,
                        "Process " + number + " cannot be sent SIGHUP: run the command as the user of the service");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("SIGHUP cannot be sent: " + e, e);
        }
    }
}
