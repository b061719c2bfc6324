// SPDX-License-Identifier: Apache-2.0
/**
 * The status that a running service publishes: {@link dev.jurom.service.status.ServiceStatus}, with its plugins
 * ({@link dev.jurom.service.status.OfferedPlugin}), workers
 * ({@link dev.jurom.service.status.RunningWorker}) and sessions of remote hosts
 * ({@link dev.jurom.service.status.RemoteSession}). {@link dev.jurom.service.status.VisibleServices} finds all services.
 */
@NullMarked
package dev.jurom.service.status;

import org.jspecify.annotations.NullMarked;
