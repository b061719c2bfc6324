// SPDX-License-Identifier: Apache-2.0
/** {@code urom kills}: kills and stops processes at times drawn from a seed. */
package dev.jurom.proof.kills;
