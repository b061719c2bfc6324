// SPDX-License-Identifier: Apache-2.0
/** Operations on folders. */
package dev.jurom.proof.process;
