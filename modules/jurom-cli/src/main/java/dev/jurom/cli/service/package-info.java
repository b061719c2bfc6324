// SPDX-License-Identifier: Apache-2.0
/** {@code urom service}, {@code plugins}, {@code devices}, {@code workers}: what there is. */
package dev.jurom.cli.service;
