// SPDX-License-Identifier: Apache-2.0
/**
 * A compression codec for Spark that compresses shuffle data, spills and broadcasts in UROM workers:
 * {@link dev.jurom.spark.OffloadCompressionCodec}.
 */
@NullMarked
package dev.jurom.spark;

import org.jspecify.annotations.NullMarked;
