// SPDX-License-Identifier: Apache-2.0
/** Sessions of hosts: each serves the requests of one connection. */
@NullMarked
package dev.jurom.service.sessions;

import org.jspecify.annotations.NullMarked;
