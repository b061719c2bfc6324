// SPDX-License-Identifier: Apache-2.0
/** {@code urom doctor}: whether all is there that offloading needs. */
package dev.jurom.cli.doctor;
