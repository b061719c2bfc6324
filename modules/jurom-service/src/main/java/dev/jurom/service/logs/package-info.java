// SPDX-License-Identifier: Apache-2.0
/** The logs of a service and of its workers. */
@NullMarked
package dev.jurom.service.logs;

import org.jspecify.annotations.NullMarked;
