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
 * <li><b>Logs.</b> Nothing is logged until {@link dev.jurom.core.DocaLog} is told to: then to Java's
 * logging. {@link dev.jurom.core.LogSource} logs beside the library, and
 * {@link dev.jurom.core.LogBackend} writes the messages of one {@link dev.jurom.core.LogOrigin}
 * without Java.
 * <li><b>Callbacks.</b> They run inside {@link dev.jurom.core.ProgressEngine#progress()}, which
 * rethrows what they throw.
 * </ul>
 *
 * <p>The map of this package:
 * <ul>
 * <li>driving: {@link dev.jurom.core.ProgressEngine}, {@link dev.jurom.core.EventMode};
 * <li>devices: {@link dev.jurom.core.Device}, {@link dev.jurom.core.DeviceInfo};
 * <li>memory: {@link dev.jurom.core.MemoryMap}, {@link dev.jurom.core.AccessFlag},
 * {@link dev.jurom.core.Buffer} from a {@link dev.jurom.core.BufferInventory} or a
 * {@link dev.jurom.core.BufferPool} ({@link dev.jurom.core.BufferSource});
 * <li>what all contexts and tasks have: {@link dev.jurom.core.Context},
 * {@link dev.jurom.core.ContextState}, {@link dev.jurom.core.ContextStateListener},
 * {@link dev.jurom.core.Task}, {@link dev.jurom.core.MemoryTask}, {@link dev.jurom.core.SubmitFlag},
 * {@link dev.jurom.core.Submission} of many, {@link dev.jurom.core.Handle};
 * <li>copying: {@link dev.jurom.core.DmaContext}, {@link dev.jurom.core.DmaCopyTask};
 * <li>hashing: {@link dev.jurom.core.ShaContext}, {@link dev.jurom.core.ShaAlgorithm},
 * {@link dev.jurom.core.ShaHashTask}, {@link dev.jurom.core.ShaPartialHashTask};
 * <li>events: {@link dev.jurom.core.SyncEvent}, {@link dev.jurom.core.SyncEventTask};
 * <li>graphs: {@link dev.jurom.core.Graph}, {@link dev.jurom.core.GraphNode},
 * {@link dev.jurom.core.GraphFunction}, {@link dev.jurom.core.GraphInstance};
 * <li>errors: {@link dev.jurom.core.DocaException}, {@link dev.jurom.core.DocaError}.
 * </ul>
 *
 * <p>A device copies memory:
 *
 * {@snippet class="dev.jurom.core.CoreExampleTest" region="copy"}
 *
 * <p>What objects tell of themselves are records, taken when one asks:
 * {@link dev.jurom.core.DeviceInfo} with {@link dev.jurom.core.PciFunction},
 * {@link dev.jurom.core.DeviceCapabilities} and {@link dev.jurom.core.SyncEventCapabilities};
 * {@link dev.jurom.core.MemoryMapState}.
 */
@NullMarked
package dev.jurom.core;

import org.jspecify.annotations.NullMarked;
