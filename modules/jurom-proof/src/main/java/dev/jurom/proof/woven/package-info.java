// SPDX-License-Identifier: Apache-2.0
/**
 * Puts the daemon's fault points into its classes: what is shipped has none. The build does so once,
 * into {@code jurom-woven.jar}, which stands before the shipped jars on the class path of a service
 * that has faults.
 */
package dev.jurom.proof.woven;
