// SPDX-License-Identifier: Apache-2.0
/** The identity of hosts: local users, certificates, and the restrictions that a host passes to its workers. */
@NullMarked
package dev.jurom.service.identity;

import org.jspecify.annotations.NullMarked;
