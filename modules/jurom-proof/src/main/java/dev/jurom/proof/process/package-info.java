// SPDX-License-Identifier: Apache-2.0
/** Command lines of Java programs, and folders of files. */
package dev.jurom.proof.process;
