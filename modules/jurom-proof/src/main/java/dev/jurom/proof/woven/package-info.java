// SPDX-License-Identifier: Apache-2.0
/**
 * Weaves fault points into classes of the daemon and of the facade; shipped classes have none. The build
 * creates {@code jurom-woven.jar}, which precedes the shipped jars on the class path of a service or host
 * with faults.
 */
package dev.jurom.proof.woven;
