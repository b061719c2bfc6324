// SPDX-License-Identifier: Apache-2.0
/** {@code urom doctor}: checks the preconditions of offloading. */
package dev.jurom.cli.doctor;
