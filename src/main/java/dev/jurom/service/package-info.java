// SPDX-License-Identifier: Apache-2.0
/**
 * The UROM service, also called daemon: it offers plugins to hosts, starts workers for them and
 * tells them when a worker ends.
 *
 * <p>{@link dev.jurom.service.UromDaemon} runs inside an application or, through
 * {@link dev.jurom.service.UromDaemonMain}, by itself. It needs UCX and the program
 * {@code urom_worker}, no other part of DOCA. Plugins are never loaded here: a separate process
 * looks at them.
 *
 * <p>A program that serves hosts for a while; they need the service file and the key, which
 * {@code DOCA_UROM_SERVICE_FILE} and {@code DOCA_UROM_KEY_FILE} name:
 *
 * {@snippet class="dev.jurom.service.ServiceExampleTest" region="serve"}
 *
 * <p>One thread, {@code EventLoop}, owns all that is said to hosts: sessions,
 * the registry of workers, timers. Each worker process has a thread of its own, which starts it,
 * reads its answer and waits for its end; it only posts to the loop. What hosts and workers say is
 * a {@code Frame}.
 *
 * <p>The limits of trust: what a host says is checked to the byte, and without the key it can do
 * nothing here. UCX below checks less. Whoever reaches its ports and speaks its own protocol
 * wrongly on purpose can end the process that UCX is in; so a service for this machine alone opens
 * no port that others reach, and one for a network belongs into a network whose members can be
 * trusted with that.
 */
package dev.jurom.service;
