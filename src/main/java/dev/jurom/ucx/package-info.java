// SPDX-License-Identifier: Apache-2.0
/**
 * UCX for Java: contexts, workers, endpoints, active messages and memory that peers may reach; what
 * the clients of the RDMO and sandbox plugins need, no more. Not exported.
 *
 * <p>UCX is loaded when the first {@linkplain dev.jurom.ucx.UcxContext#open context} is opened, and
 * not in programs that open none. A {@link dev.jurom.ucx.UcxWorker} and all that hangs on it belong
 * to the thread that made it; another thread may only
 * {@linkplain dev.jurom.ucx.UcxWorker#signal() signal} it.
 *
 * <p>Callbacks run inside {@link dev.jurom.ucx.UcxWorker#progress()}. What one throws is kept while
 * native code is on the stack and thrown by that same call.
 */
@NullMarked
package dev.jurom.ucx;

import org.jspecify.annotations.NullMarked;
