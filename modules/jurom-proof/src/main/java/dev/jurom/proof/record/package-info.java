// SPDX-License-Identifier: Apache-2.0
/** Records of the tests: the lines that tests reach, and the fixed defects that tests find again. */
package dev.jurom.proof.record;
