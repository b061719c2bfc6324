// SPDX-License-Identifier: Apache-2.0
/** The processes of a run that are JVMs: Java hosts and the service. */
package dev.jurom.proof.runs.host;
