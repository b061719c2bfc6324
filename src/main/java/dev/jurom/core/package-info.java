// SPDX-License-Identifier: Apache-2.0
/**
 * DOCA Core: devices, memory, progress engines, contexts and tasks. Each object of the C library is
 * represented by a Java object with the same name.
 *
 * <p>Rules that C leaves to the caller are enforced:
 * <ul>
 * <li><b>Lifetime.</b> Handles are {@link java.lang.AutoCloseable}. Closing a closed handle has no
 * effect. Closing an object that open objects depend on throws an
 * {@link java.lang.IllegalStateException} that names them, and changes nothing. Using a closed
 * object throws the same exception.
 * <li><b>Threads.</b> A {@link dev.jurom.core.ProgressEngine} and all objects that are connected to
 * it may be used only by the thread that owns the engine; other threads receive a
 * {@link java.lang.WrongThreadException}.
 * <li><b>Errors.</b> A failure status becomes a {@link dev.jurom.core.DocaException}.
 * <li><b>Logs.</b> By default nothing is logged; {@link dev.jurom.core.DocaLog} redirects messages
 * to {@link java.lang.System.Logger}. Programs log through {@link dev.jurom.core.LogSource}, and
 * {@link dev.jurom.core.LogBackend} writes the messages of one {@link dev.jurom.core.LogOrigin}
 * without Java.
 * <li><b>Callbacks.</b> They run inside {@link dev.jurom.core.ProgressEngine#progress()}, which
 * rethrows their exceptions.
 * </ul>
 *
 * <p>The types of this package:
 * <ul>
 * <li>engines: {@link dev.jurom.core.ProgressEngine}, {@link dev.jurom.core.EventMode};
 * <li>devices: {@link dev.jurom.core.Device}, {@link dev.jurom.core.DeviceInfo};
 * <li>memory: {@link dev.jurom.core.MemoryMap}, {@link dev.jurom.core.AccessFlag},
 * {@link dev.jurom.core.Buffer} from a {@link dev.jurom.core.BufferInventory} or a
 * {@link dev.jurom.core.BufferPool} ({@link dev.jurom.core.BufferSource});
 * <li>common to all contexts and tasks: {@link dev.jurom.core.Context},
 * {@link dev.jurom.core.ContextState}, {@link dev.jurom.core.ContextStateListener},
 * {@link dev.jurom.core.Task}, {@link dev.jurom.core.MemoryTask},
 * {@link dev.jurom.core.SubmitFlag}, {@link dev.jurom.core.Submission} of several tasks,
 * {@link dev.jurom.core.Handle};
 * <li>copying: {@link dev.jurom.core.DmaContext}, {@link dev.jurom.core.DmaCopyTask};
 * <li>hashing: {@link dev.jurom.core.ShaContext}, {@link dev.jurom.core.ShaAlgorithm},
 * {@link dev.jurom.core.ShaHashTask}, {@link dev.jurom.core.ShaPartialHashTask};
 * <li>events: {@link dev.jurom.core.SyncEvent}, {@link dev.jurom.core.SyncEventTask};
 * <li>graphs: {@link dev.jurom.core.Graph}, {@link dev.jurom.core.GraphNode},
 * {@link dev.jurom.core.GraphFunction}, {@link dev.jurom.core.GraphInstance};
 * <li>errors: {@link dev.jurom.core.DocaException}, {@link dev.jurom.core.DocaError};
 * <li>snapshots of properties: {@link dev.jurom.core.DeviceInfo} with
 * {@link dev.jurom.core.PciFunction}, {@link dev.jurom.core.DeviceCapabilities} and
 * {@link dev.jurom.core.SyncEventCapabilities}; {@link dev.jurom.core.MemoryMapState}.
 * </ul>
 *
 * <p>Copying memory with a device:
 *
 * {@snippet class="dev.jurom.core.CoreExampleTest" region="copy"}
 */
@NullMarked
package dev.jurom.core;

import org.jspecify.annotations.NullMarked;
