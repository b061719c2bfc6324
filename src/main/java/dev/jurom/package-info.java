// SPDX-License-Identifier: Apache-2.0
/**
 * The way to offload work that most people start with, and the service that needs no DPU.
 *
 * <p>A call gives a worker a command and waits for the answer:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="call"}
 *
 * <p>A submission does not wait; its answer is a {@link java.util.concurrent.CompletableFuture}:
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="submit"}
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
