// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration of a service. {@link dev.jurom.service.settings.DaemonConfiguration} contains
 * the addresses at which it listens ({@link dev.jurom.service.settings.ListenAddress}), the settings of its workers
 * ({@link dev.jurom.service.settings.WorkerSettings}) and logs ({@link dev.jurom.service.settings.LogSettings}), the
 * limits on hosts ({@link dev.jurom.service.settings.Limits}), and the access of hosts of other machines
 * ({@link dev.jurom.service.settings.RemoteAccess}).
 */
@NullMarked
package dev.jurom.service.settings;

import org.jspecify.annotations.NullMarked;
