// SPDX-License-Identifier: Apache-2.0
/** What is on record: which lines tests reach, and which defects were found and are found again. */
package dev.jurom.proof.record;
