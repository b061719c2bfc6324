// SPDX-License-Identifier: Apache-2.0
/** What a running service reports about itself. */
@NullMarked
package dev.jurom.service.status;

import org.jspecify.annotations.NullMarked;
