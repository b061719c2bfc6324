// SPDX-License-Identifier: Apache-2.0
/**
 * Which native libraries are in use.
 *
 * <p>{@link dev.jurom.runtime.DocaRuntime#current()} loads them at the first call and says whether
 * they are the vendor's or the software DOCA that ships with jurom, where they come from, and why
 * the other was passed over. Everything else in jurom calls it by itself.
 *
 * {@snippet class="dev.jurom.core.CoreExampleTest" region="runtime"}
 *
 * <p>It is a {@link dev.jurom.runtime.RuntimeKind}; what does not load is a
 * {@link dev.jurom.runtime.LibraryLoadException}. Two service provider interfaces connect the library to
 * its other modules: {@link dev.jurom.runtime.SoftwareBundle} supplies the native files of the software
 * DOCA, and {@link dev.jurom.runtime.EmbeddedServiceProvider} starts a service in this process, or
 * throws a {@link dev.jurom.runtime.DaemonException}.
 *
 * <table>
 * <caption>System properties</caption>
 * <tr><th>Property</th><th>Meaning</th></tr>
 * <tr><td>{@code jurom.runtime}</td><td>{@code auto} (default), {@code vendor} or
 * {@code software}</td></tr>
 * <tr><td>{@code jurom.library.path}</td><td>directories that are searched first for the vendor's
 * libraries, separated by colons</td></tr>
 * <tr><td>{@code jurom.software.path}</td><td>an installed software DOCA (with {@code lib} and
 * {@code bin}) to use in place of the one in jurom-native</td></tr>
 * <tr><td>{@code jurom.log.level}</td><td>the {@link dev.jurom.runtime.LogLevel} at which what the
 * libraries log goes to Java's logging, to loggers below {@code dev.jurom.native}:
 * {@code disable} (default), {@code critical},
 * {@code error}, {@code warning}, {@code info}, {@code debug} or {@code trace}</td></tr>
 * <tr><td>{@code jurom.cache.path}</td><td>where the software DOCA is unpacked, each build to a
 * folder of its own that is removed when no process has used it for 30 days; default:
 * {@code $XDG_CACHE_HOME/jurom} or {@code ~/.cache/jurom}</td></tr>
 * </table>
 */
@NullMarked
package dev.jurom.runtime;

import org.jspecify.annotations.NullMarked;
