// SPDX-License-Identifier: Apache-2.0
/**
 * UCX for Java: contexts, workers, endpoints, active messages and memory that peers can access, as
 * far as the clients of the RDMO and sandbox plugins need it. Not exported.
 *
 * <p>UCX is loaded when the first {@linkplain dev.jurom.ucx.UcxContext#open context} is opened, and
 * not in programs that open none. A {@link dev.jurom.ucx.UcxWorker} and its objects belong to the
 * thread that created it; another thread may only
 * {@linkplain dev.jurom.ucx.UcxWorker#signal() signal} it.
 *
 * <p>Callbacks run inside {@link dev.jurom.ucx.UcxWorker#progress()}. Their exceptions are stored
 * while native code is on the stack, and rethrown by that call.
 */
@NullMarked
package dev.jurom.ucx;

import org.jspecify.annotations.NullMarked;
