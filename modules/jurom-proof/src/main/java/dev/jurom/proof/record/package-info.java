// SPDX-License-Identifier: Apache-2.0
/** The record of earlier defects, as patches, and the search for them. */
package dev.jurom.proof.record;
