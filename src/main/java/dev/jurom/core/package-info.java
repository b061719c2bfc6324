// SPDX-License-Identifier: Apache-2.0
/**
 * DOCA Core: devices, memory, progress engines, contexts and tasks, one Java object for each object
 * of the C library and under its name.
 *
 * <p>What C leaves to discipline is enforced here:
 * <ul>
 * <li><b>Lifetime.</b> Every handle is {@link java.lang.AutoCloseable}. Closing twice is fine.
 * Closing an object that others still depend on throws {@link java.lang.IllegalStateException},
 * names them, and changes nothing. So does using a closed object.
 * <li><b>Threads.</b> A {@link dev.jurom.core.ProgressEngine} and all that is connected to it
 * belong to the thread that made it; another one gets a {@link java.lang.WrongThreadException}.
 * <li><b>Errors.</b> A status that is not an answer becomes a {@link dev.jurom.core.DocaException}.
 * <li><b>Callbacks.</b> They run inside {@link dev.jurom.core.ProgressEngine#progress()}, which
 * rethrows what they throw.
 * </ul>
 *
 * <p>A device copies memory:
 *
 * {@snippet class="dev.jurom.core.CoreExampleTest" region="copy"}
 */
@NullMarked
package dev.jurom.core;

import org.jspecify.annotations.NullMarked;
