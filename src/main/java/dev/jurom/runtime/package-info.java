// SPDX-License-Identifier: Apache-2.0
/**
 * The choice of the native libraries.
 *
 * <p>The first call of {@link dev.jurom.runtime.DocaRuntime#current()} loads them and reports
 * whether they are those of the vendor or the software DOCA of jurom, from which directory they
 * were loaded, and why the other kind is not used. All other parts of jurom call it implicitly.
 *
 * {@snippet class="dev.jurom.core.CoreExampleTest" region="runtime"}
 *
 * <p>The kind is a {@link dev.jurom.runtime.RuntimeKind}; failures are reported as
 * {@link dev.jurom.runtime.LibraryLoadException}. Two service provider interfaces connect the library to
 * its other modules: {@link dev.jurom.runtime.SoftwareBundle} locates the native files of the software
 * DOCA, and {@link dev.jurom.runtime.EmbeddedServiceProvider} starts a service in this process, or
 * throws a {@link dev.jurom.runtime.DaemonException}.
 *
 * <table>
 * <caption>System properties</caption>
 * <tr><th>Property</th><th>Meaning</th></tr>
 * <tr><td>{@code jurom.runtime}</td><td>{@code auto} (default), {@code vendor} or
 * {@code software}</td></tr>
 * <tr><td>{@code jurom.library.path}</td><td>colon-separated directories to search first for the
 * libraries of the vendor</td></tr>
 * <tr><td>{@code jurom.software.path}</td><td>the prefix of an installed software DOCA (with
 * {@code lib} and {@code bin}), to use instead of the one in jurom-native</td></tr>
 * <tr><td>{@code jurom.log.level}</td><td>the least severe {@link dev.jurom.runtime.LogLevel} of
 * native messages that go to loggers below {@code dev.jurom.native}: {@code disable} (default),
 * {@code critical}, {@code error}, {@code warning}, {@code info}, {@code debug} or
 * {@code trace}</td></tr>
 * <tr><td>{@code jurom.cache.path}</td><td>the directory into which the software DOCA is unpacked,
 * each build into its own subdirectory, which is removed after no process has used it for 30 days;
 * default: the first of {@code $XDG_CACHE_HOME/jurom}, {@code ~/.cache/jurom} and {@code jurom-cache-UID}
 * in a folder for temporary files that no other user can change and whose files can be executed</td></tr>
 * </table>
 */
@NullMarked
package dev.jurom.runtime;

import org.jspecify.annotations.NullMarked;
