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
 * <p>Everything that is written has a standard format, which other programs read.
 */
@NullMarked
package dev.jurom.compress;

import org.jspecify.annotations.NullMarked;
