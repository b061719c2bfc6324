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
 */
package dev.jurom;
