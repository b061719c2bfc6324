// SPDX-License-Identifier: Apache-2.0
/**
 * Compression of blocks and streams in UROM workers, by zstd, LZ4 and DEFLATE.
 *
 * {@snippet class="dev.jurom.compress.CompressionExampleTest" region="stream"}
 *
 * <p>Blocks are compressed into buffers of the caller:
 *
 * {@snippet class="dev.jurom.compress.CompressionExampleTest" region="block"}
 *
 * <p>All output has a standard format, which other programs read.
 *
 * <table>
 * <caption>Types by task</caption>
 * <tr><th>Task</th><th>Types</th></tr>
 * <tr><td>open and use workers</td><td>{@link dev.jurom.compress.Compression},
 * {@link dev.jurom.compress.CompressionConfiguration}, {@link dev.jurom.compress.CompressionMode}</td></tr>
 * <tr><td>choose a format</td><td>{@link dev.jurom.compress.CompressionParameters},
 * {@link dev.jurom.compress.CompressionFormat}</td></tr>
 * <tr><td>process streams</td><td>{@link dev.jurom.compress.OffloadOutputStream},
 * {@link dev.jurom.compress.OffloadInputStream}</td></tr>
 * <tr><td>handle failures</td><td>{@link dev.jurom.compress.CompressionException},
 * {@link dev.jurom.compress.CompressionError}</td></tr>
 * <tr><td>observe</td><td>{@link dev.jurom.compress.CompressionCounters}</td></tr>
 * </table>
 */
@NullMarked
package dev.jurom.compress;

import org.jspecify.annotations.NullMarked;
