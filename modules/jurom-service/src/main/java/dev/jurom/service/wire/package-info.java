// SPDX-License-Identifier: Apache-2.0
/**
 * The daemon's side of the wire: what hosts, the service and workers tell each other, from bytes to
 * {@link dev.jurom.service.wire.Frame} and back. It knows nothing of the service. Not exported.
 */
@NullMarked
package dev.jurom.service.wire;

import org.jspecify.annotations.NullMarked;
