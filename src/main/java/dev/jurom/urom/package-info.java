// SPDX-License-Identifier: Apache-2.0
/**
 * DOCA UROM: the service that starts workers, the workers that run plugins, and the commands that
 * are sent to them. The types correspond to those of {@code doca_urom.h}. The rules for lifetime,
 * threads, errors and callbacks are those of {@link dev.jurom.core}.
 *
 * <p>The types of this package:
 * <ul>
 * <li>the service: {@link dev.jurom.urom.UromService}, with its plugins
 * ({@link dev.jurom.urom.PluginInfo}), its CPUs ({@link dev.jurom.urom.CpuSet}) and the workers of
 * a group ({@link dev.jurom.urom.WorkersByGroupTask}); its address:
 * {@link dev.jurom.urom.ServiceLocation}, {@link dev.jurom.urom.ServiceFile}, {@link dev.jurom.urom.ServiceFileException}; its counters:
 * {@link dev.jurom.urom.HostCounters};
 * <li>workers: {@link dev.jurom.urom.UromWorker}, {@link dev.jurom.urom.WorkerId}, and their exits:
 * {@link dev.jurom.urom.WorkerExit};
 * <li>commands: {@link dev.jurom.urom.CommandTask}, {@link dev.jurom.urom.CommandTaskPool};
 * <li>groups of workers of several hosts: {@link dev.jurom.urom.UromDomain}.
 * </ul>
 *
 * <p>Sending a command to a worker, with a progress engine and a running service:
 *
 * {@snippet class="dev.jurom.urom.UromExampleTest" region="command"}
 *
 * <p>Workers that communicate with each other belong to a {@link dev.jurom.urom.UromDomain}, which
 * their hosts set up through an exchange of {@link dev.jurom.urom.exchange}.
 */
@NullMarked
package dev.jurom.urom;

import org.jspecify.annotations.NullMarked;
