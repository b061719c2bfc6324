// SPDX-License-Identifier: Apache-2.0
/**
 * The UROM service, also called daemon: it offers plugins to hosts, starts workers for them and notifies
 * them when a worker exits.
 *
 * <p>{@link dev.jurom.service.UromDaemon} runs inside an application or, through
 * {@link dev.jurom.service.StandaloneService}, as a process of its own.
 * {@link dev.jurom.service.EmbeddedService} serves the application that opens it, and
 * {@link dev.jurom.service.Provider} opens one where the environment names no service. The daemon needs the
 * program {@code urom_worker} and no other part of DOCA. It never loads a plugin: a separate process reads
 * the plugin's name and version.
 *
 * <p>This program serves hosts of its own user for a while. They need the service file, which
 * {@code DOCA_UROM_SERVICE_FILE} names:
 *
 * {@snippet class="dev.jurom.service.ServiceExampleTest" region="serve"}
 *
 * <p>The configuration is in {@link dev.jurom.service.settings}, the status of running services in
 * {@link dev.jurom.service.status}. {@link dev.jurom.service.KeyPairFile} creates the keys for hosts of
 * other machines. A daemon that cannot start throws a {@link dev.jurom.runtime.DaemonException}.
 *
 * <p>Threads: a local connection occupies a thread of the pool ({@code ServiceThreads}) while a frame is being
 * read, a TLS connection always has one. {@code FrameSender} occupies one while frames are queued. One thread
 * reads the output of all workers ({@code WorkerProcess}), and one thread of the JDK waits for each worker's
 * exit. {@code Workers} and {@code Sessions} hold the shared state, each guarded by one lock under which no thread
 * blocks. {@code Timers} has one thread.
 *
 * <p>Trust: the kernel authenticates local hosts (Unix sockets); remote hosts authenticate with certificates
 * (TLS 1.3), which the service compares byte by byte. Workers run as the host's user. Ids, groups, sharing and
 * limits are per user. All data from hosts and workers is validated. A host that is silent, slow or does not read
 * loses its own connection and affects no other.
 */
@NullMarked
package dev.jurom.service;

import org.jspecify.annotations.NullMarked;
