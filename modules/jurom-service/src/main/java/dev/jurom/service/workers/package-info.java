// SPDX-License-Identifier: Apache-2.0
/** Worker processes: their start, the references that hosts hold on them, and their end. */
@NullMarked
package dev.jurom.service.workers;

import org.jspecify.annotations.NullMarked;
