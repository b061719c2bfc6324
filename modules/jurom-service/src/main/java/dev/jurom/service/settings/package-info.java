// SPDX-License-Identifier: Apache-2.0
/** The configuration of a service. */
@NullMarked
package dev.jurom.service.settings;

import org.jspecify.annotations.NullMarked;
