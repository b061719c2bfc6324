// SPDX-License-Identifier: Apache-2.0
/** What shall happen in a seeded run, drawn before it begins. */
package dev.jurom.proof.runs.plan;
