// SPDX-License-Identifier: Apache-2.0
/** The threads and timers of a service. */
@NullMarked
package dev.jurom.service.threads;

import org.jspecify.annotations.NullMarked;
