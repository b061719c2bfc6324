// SPDX-License-Identifier: Apache-2.0
/** The plans of seeded runs. */
package dev.jurom.proof.runs.plan;
