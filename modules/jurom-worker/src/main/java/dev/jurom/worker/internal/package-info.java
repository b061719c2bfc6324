// SPDX-License-Identifier: Apache-2.0
/** The Java side of {@code worker_java.so}, and the packaging of plugins. */
@NullMarked
package dev.jurom.worker.internal;

import org.jspecify.annotations.NullMarked;
