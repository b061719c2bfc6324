// SPDX-License-Identifier: Apache-2.0
/**
 * The UROM service, also called daemon: it offers plugins to hosts, starts workers for them and
 * tells them when a worker ends.
 *
 * <p>{@link dev.jurom.service.UromDaemon} runs inside an application or, through
 * {@link dev.jurom.service.StandaloneService}, by itself. It is all Java and needs the program
 * {@code urom_worker}, no other part of DOCA. Plugins are never loaded here: a separate process
 * looks at them.
 *
 * <p>A program that serves hosts of its own user for a while; they need the service file, which
 * {@code DOCA_UROM_SERVICE_FILE} names:
 *
 * {@snippet class="dev.jurom.service.ServiceExampleTest" region="serve"}
 *
 * <p>What it is like: {@link dev.jurom.service.settings.DaemonConfiguration}, with
 * {@link dev.jurom.service.settings.ListenAddress}, {@link dev.jurom.service.settings.WorkerSettings},
 * {@link dev.jurom.service.settings.Limits}, {@link dev.jurom.service.settings.LogSettings} and
 * {@link dev.jurom.runtime.LogLevel}; for hosts of other machines
 * {@link dev.jurom.service.settings.RemoteAccess} and {@link dev.jurom.service.KeyPairFile}. What is wrong with
 * that: {@link dev.jurom.runtime.DaemonException}. What others may read of a service that runs:
 * {@link dev.jurom.service.status.ServiceStatus}.
 *
 * <p>A local connection has a thread of the pool ({@code ServiceThreads}) while its host says
 * something, and a TLS connection keeps one: {@code Session}. One more writes to a host while frames
 * wait: {@code FrameSender}. One thread reads the output of all workers: {@code WorkerProcess}; each
 * worker takes a thread of the JDK, which waits for its exit. {@code Workers} and {@code Sessions} hold
 * what all of them share, each behind one lock under which nothing waits. One thread keeps the time:
 * {@code Timers}. What hosts and workers say is a {@code Frame} of {@code dev.jurom.service.wire}.
 *
 * <p>The limits of trust: who a host is, the kernel says (Unix sockets) or a certificate that the
 * service knows to the byte (TLS 1.3). Its workers run as its user, and ids, groups, sharing and
 * limits are that user's own. What hosts and workers say is checked to the byte. One that is
 * silent, slow, or does not read ends its own connection and no other.
 */
@NullMarked
package dev.jurom.service;


import org.jspecify.annotations.NullMarked;
