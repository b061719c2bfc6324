// SPDX-License-Identifier: Apache-2.0
/**
 * The way to offload work that most people start with, and the service that needs no DPU.
 *
 * <p>A call gives a worker a command and waits for the answer:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="call"}
 *
 * <p>A submission does not block; its answer is a {@link java.util.concurrent.CompletableFuture}:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="submit"}
 *
 * <p>The map of this package:
 * <table>
 * <caption>What to begin with</caption>
 * <tr><th>For</th><th>Use</th></tr>
 * <tr><td>commands to a worker</td><td>{@link dev.jurom.Urom}, {@link dev.jurom.Worker}; how they
 * are: {@link dev.jurom.UromConfiguration}, {@link dev.jurom.WorkerConfiguration},
 * {@link dev.jurom.IdleStrategy}</td></tr>
 * <tr><td>workers of several processes</td><td>{@link dev.jurom.Domain},
 * {@link dev.jurom.DomainConfiguration}; messages between them: {@link dev.jurom.Sandbox}</td></tr>
 * <tr><td>memory that others write to</td><td>{@link dev.jurom.RdmoTarget}, which gives an
 * {@link dev.jurom.RdmoInvitation} to each {@link dev.jurom.RdmoWriter}</td></tr>
 * <tr><td>a service without a DPU</td><td>{@code dev.jurom.service.EmbeddedService}, which {@code Urom} opens
 * by itself where none is named</td></tr>
 * </table>
 *
 * <p>All of it is for any thread. In an executor of virtual threads, a call is as simple as a method:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="threads"}
 *
 * <p>and an interrupt cancels it:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="interrupt"}
 *
 * <p>What is opened last is closed first: domains and targets before their workers, workers before
 * their {@code Urom}, which closes all that is left in order. A command that fails does so with a
 * {@link dev.jurom.core.DocaException} that says why, and has the plugin's own
 * {@linkplain dev.jurom.core.DocaException#response() response}.
 *
 * <p>Who comes from C finds the Java name of each C name <a href="doc-files/c-names.html">here</a>, or
 * by typing the C name into the search field of this page.
 *
 * <p>Programs that drive a progress engine of their own use {@link dev.jurom.urom} and
 * {@link dev.jurom.core} instead.
 *
 * <p>The JDK's flight recorder can show {@code dev.jurom.Command}, {@code dev.jurom.WorkerStart},
 * {@code dev.jurom.WorkerStop} and {@code dev.jurom.BackPressure}; all are off until a recording
 * enables them. With {@code -Djurom.leaks=trace}, objects that are collected as garbage while they
 * are open are logged with the stack that opened them.
 */
@NullMarked
package dev.jurom;

import org.jspecify.annotations.NullMarked;
