// SPDX-License-Identifier: Apache-2.0
/**
 * The recommended entry point: thread-safe offloading of commands, and a service that needs no DPU.
 *
 * <p>A call sends a command to a worker and waits for the answer:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="call"}
 *
 * <p>A submission does not block; its answer is a {@link java.util.concurrent.CompletableFuture}:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="submit"}
 *
 * <p>Overview of this package:
 * <table>
 * <caption>Classes by purpose</caption>
 * <tr><th>For</th><th>Use</th></tr>
 * <tr><td>commands to a worker</td><td>{@link dev.jurom.Urom}, {@link dev.jurom.Worker};
 * configuration: {@link dev.jurom.UromConfiguration}, {@link dev.jurom.WorkerConfiguration},
 * {@link dev.jurom.IdleStrategy}</td></tr>
 * <tr><td>several workers, of which failed ones are replaced</td><td>{@link dev.jurom.WorkerPool}; configuration:
 * {@link dev.jurom.PoolConfiguration}; counters: {@link dev.jurom.PoolWorkerCounters}</td></tr>
 * <tr><td>workers of several processes</td><td>{@link dev.jurom.Domain},
 * {@link dev.jurom.DomainConfiguration}; messages between them: {@link dev.jurom.Sandbox}</td></tr>
 * <tr><td>memory that other processes write to</td><td>{@link dev.jurom.RdmoTarget}, which gives an
 * {@link dev.jurom.RdmoInvitation} to each {@link dev.jurom.RdmoWriter}</td></tr>
 * <tr><td>a service without a DPU</td><td>{@code dev.jurom.service.EmbeddedService}, which {@code Urom} opens
 * by itself where none is named</td></tr>
 * </table>
 *
 * <p>All classes except the builders are thread-safe. Calls block virtual threads cheaply:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="threads"}
 *
 * <p>and an interrupt cancels it:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="interrupt"}
 *
 * <p>Close objects in reverse order of their opening: domains and targets before their workers, workers
 * before their {@code Urom}, which closes all remaining objects in order. A command fails with a
 * {@link dev.jurom.core.DocaException}, which contains the reason and the plugin's
 * {@linkplain dev.jurom.core.DocaException#response() response}.
 *
 * <p>The Java name of a C function is in <a href="doc-files/c-names.html">this table</a>; the search field
 * of this page also finds C names.
 *
 * <p>Programs with their own progress engine use {@link dev.jurom.urom} and {@link dev.jurom.core} instead.
 *
 * <p>The JDK Flight Recorder supports the events {@code dev.jurom.Command}, {@code dev.jurom.WorkerStart},
 * {@code dev.jurom.WorkerStop} and {@code dev.jurom.BackPressure}, which are disabled by default. With
 * {@code -Djurom.leaks=trace}, open objects that become garbage are logged with the stack trace of their
 * opening.
 */
@NullMarked
package dev.jurom;

import org.jspecify.annotations.NullMarked;
