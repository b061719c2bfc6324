// SPDX-License-Identifier: Apache-2.0
/** {@code urom soak}: checks that resources do not grow during load and disturbances. */
package dev.jurom.proof.soak;
