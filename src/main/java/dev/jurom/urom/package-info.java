// SPDX-License-Identifier: Apache-2.0
/**
 * DOCA UROM: the service that starts workers, the workers that run plugins, and the commands that
 * they are given. The objects mirror those of {@code doca_urom.h} under their names; the rules on
 * lifetime, threads, errors and callbacks are those of {@link dev.jurom.core}.
 *
 * <p>The map of this package:
 * <ul>
 * <li>the service: {@link dev.jurom.urom.UromService}, which knows its plugins
 * ({@link dev.jurom.urom.PluginInfo}), its CPUs ({@link dev.jurom.urom.CpuSet}) and the workers of a
 * group ({@link dev.jurom.urom.WorkersByGroupTask}); where it is: {@link dev.jurom.urom.ServiceFile},
 * {@link dev.jurom.urom.ServiceFileException}; what was counted on it:
 * {@link dev.jurom.urom.HostCounters};
 * <li>workers: {@link dev.jurom.urom.UromWorker}, {@link dev.jurom.urom.WorkerId}, and how one ended:
 * {@link dev.jurom.urom.WorkerExit};
 * <li>commands: {@link dev.jurom.urom.CommandTask}, {@link dev.jurom.urom.CommandTaskPool};
 * <li>workers of several hosts: {@link dev.jurom.urom.UromDomain}.
 * </ul>
 *
 * <p>With a progress engine and a service that runs, a command goes to a worker and back:
 *
 * {@snippet class="dev.jurom.urom.UromExampleTest" region="command"}
 *
 * <p>Workers that shall reach each other are put into a {@link dev.jurom.urom.UromDomain}, which their
 * hosts agree on through an exchange of {@link dev.jurom.urom.exchange}.
 */
@NullMarked
package dev.jurom.urom;

import org.jspecify.annotations.NullMarked;
