// SPDX-License-Identifier: Apache-2.0
/** {@code urom hostile}: peers that attack the service and its workers while other hosts are served. */
package dev.jurom.proof.hostile;
