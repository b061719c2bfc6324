// SPDX-License-Identifier: Apache-2.0
/**
 * What the layers above share with the core: tables that tickets lead into, requests that C
 * functions record, polls, calls without a wrapper's cost, and checks of what callers give. Not
 * exported.
 */
@NullMarked
package dev.jurom.core.internal;

import org.jspecify.annotations.NullMarked;
