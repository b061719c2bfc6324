// SPDX-License-Identifier: Apache-2.0
/**
 * The daemon's side of the wire protocol: encodes and decodes the messages between hosts, the service and
 * workers, {@link dev.jurom.service.wire.Frame}. It does not depend on the service, and is not exported.
 */
@NullMarked
package dev.jurom.service.wire;

import org.jspecify.annotations.NullMarked;
