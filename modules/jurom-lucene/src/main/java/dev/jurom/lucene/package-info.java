// SPDX-License-Identifier: Apache-2.0
/** A codec of Lucene whose stored fields are compressed in UROM workers. */
@NullMarked
package dev.jurom.lucene;

import org.jspecify.annotations.NullMarked;
