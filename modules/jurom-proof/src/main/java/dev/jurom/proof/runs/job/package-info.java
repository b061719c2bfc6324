// SPDX-License-Identifier: Apache-2.0
/** A job executes runs sequentially on shared processes and checks the results. */
package dev.jurom.proof.runs.job;
