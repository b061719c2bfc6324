// SPDX-License-Identifier: Apache-2.0
/** Folders of files. */
package dev.jurom.proof.process;
