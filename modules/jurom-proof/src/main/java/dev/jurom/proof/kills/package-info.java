// SPDX-License-Identifier: Apache-2.0
/** {@code urom kills}: processes that are killed or stopped at moments drawn from a seed. */
package dev.jurom.proof.kills;
