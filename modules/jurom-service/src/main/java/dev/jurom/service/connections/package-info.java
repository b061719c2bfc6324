// SPDX-License-Identifier: Apache-2.0
/** Connections from hosts: listeners, and frames read and written with deadlines and limits. */
@NullMarked
package dev.jurom.service.connections;

import org.jspecify.annotations.NullMarked;
