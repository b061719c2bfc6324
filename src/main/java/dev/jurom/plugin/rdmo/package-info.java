// SPDX-License-Identifier: Apache-2.0
/** The RDMO plugin, {@code worker_rdmo}: append, scatter and flush on another host's memory. */
package dev.jurom.plugin.rdmo;
