// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.service.plugins.PluginGrant;
import dev.jurom.service.wire.Bytes;
import java.net.InetAddress;

/**
 * A host of another machine that has authenticated.
 *
 * @param certificate the certificate that it presented
 * @param address the address from which it connected
 * @param plugins the plugins that it may use
 */
public record RemoteHost(Bytes certificate, InetAddress address, PluginGrant plugins) {}
