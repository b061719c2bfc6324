// SPDX-License-Identifier: Apache-2.0
/** The JVM processes of a run: the Java hosts and the service. */
package dev.jurom.proof.runs.host;
