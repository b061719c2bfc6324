// SPDX-License-Identifier: Apache-2.0
/** What a running service reports about itself: {@link dev.jurom.service.status.ServiceStatus}. */
@NullMarked
package dev.jurom.service.status;

import org.jspecify.annotations.NullMarked;
