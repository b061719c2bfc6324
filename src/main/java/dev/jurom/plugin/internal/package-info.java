// SPDX-License-Identifier: Apache-2.0
/** Access of other packages of this module to what applications do not see of {@code dev.jurom.plugin}. */
@NullMarked
package dev.jurom.plugin.internal;

import org.jspecify.annotations.NullMarked;
