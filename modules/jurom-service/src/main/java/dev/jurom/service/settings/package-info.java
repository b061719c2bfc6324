// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration of a service. {@link dev.jurom.service.settings.DaemonConfiguration} contains
 * {@link dev.jurom.service.settings.ListenAddress} for where the service listens,
 * {@link dev.jurom.service.settings.WorkerSettings} for its workers,
 * {@link dev.jurom.service.settings.Limits} for what hosts may use,
 * {@link dev.jurom.service.settings.LogSettings} for its logs, and
 * {@link dev.jurom.service.settings.RemoteAccess} for hosts of other machines.
 */
@NullMarked
package dev.jurom.service.settings;

import org.jspecify.annotations.NullMarked;
