// SPDX-License-Identifier: Apache-2.0
/** The launcher of a service, which starts and ends all other processes. */
@NullMarked
package dev.jurom.service.processes;

import org.jspecify.annotations.NullMarked;
