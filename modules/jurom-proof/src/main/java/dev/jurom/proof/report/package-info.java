// SPDX-License-Identifier: Apache-2.0
/** Writes test results to docs/reliability.md. */
package dev.jurom.proof.report;
