// SPDX-License-Identifier: Apache-2.0
/** Where what was proven is written down. */
package dev.jurom.proof.report;
