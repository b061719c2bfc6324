// SPDX-License-Identifier: Apache-2.0
/**
 * Puts the daemon's fault points into its classes when they are loaded: what is shipped has none. A
 * Java agent, {@code jurom-faults-agent.jar}, in the JVM of the daemon.
 */
package dev.jurom.proof.agent;
