// SPDX-License-Identifier: Apache-2.0
/**
 * Puts fault points into classes of the daemon and of the facade: what is shipped has none. The
 * build does so once, into {@code jurom-woven.jar}, which stands before the shipped jars on the class
 * path of a service that has faults, or of a host.
 */
package dev.jurom.proof.woven;
