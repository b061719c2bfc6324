// SPDX-License-Identifier: Apache-2.0
/** The plugins that a service offers. A process that may crash loads them to read their versions. */
@NullMarked
package dev.jurom.service.plugins;

import org.jspecify.annotations.NullMarked;
