// SPDX-License-Identifier: Apache-2.0
/** Files that the service trusts: owners, modes and directories that no other user can change. */
@NullMarked
package dev.jurom.service.files;

import org.jspecify.annotations.NullMarked;
