// SPDX-License-Identifier: Apache-2.0
/** {@code urom service}, {@code plugins}, {@code devices}, {@code workers}: show services and
 * devices. */
package dev.jurom.cli.service;
