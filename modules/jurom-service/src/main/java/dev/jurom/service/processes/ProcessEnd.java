// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.processes;

/** The end of a process that the launcher was to start. */
public sealed interface ProcessEnd {

    /**
     * The process has exited.
     *
     * @param status its exit code, or 128 plus the signal
     */
    record Exited(int status) implements ProcessEnd {}

    /**
     * The process was not started.
     *
     * @param reason the reason, a sentence without a period
     */
    record NotStarted(String reason) implements ProcessEnd {}

    /** The launcher has ended, so the kernel has killed the process. */
    record LauncherEnded() implements ProcessEnd {}
}
