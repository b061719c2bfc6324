// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.runtime.LogLevel;

/** Logs a line to its standard streams, which no test would have for itself, and to syslog. */
public final class LogBackendProgram {

    private LogBackendProgram() {}

    /** Ends well if all backends can be made. */
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
