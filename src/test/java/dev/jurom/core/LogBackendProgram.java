// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.runtime.LogLevel;

/** Logs to syslog and to its standard streams, which a test shares with the test runner. */
public final class LogBackendProgram {

    private LogBackendProgram() {}

    /** Exits with code 0 if all backends can be created. */
    public static void main(String[] arguments) {
        LogBackend.toStandardStreams();
        LogBackend.toStandardStreams();
        LogBackend.toSyslog(LogOrigin.APPLICATION, "jurom-test").setLevel(LogLevel.DEBUG);
        LogBackend.toSyslog(LogOrigin.LIBRARY, "jurom-test").setLevel(LogLevel.DEBUG);
        try (var source = LogSource.create("PROGRAM")) {
            source.log(LogLevel.INFO, "hello, streams");
        }
    }
}
