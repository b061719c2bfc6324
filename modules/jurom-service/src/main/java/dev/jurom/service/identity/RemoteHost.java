// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.service.plugins.PluginGrant;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Bytes;
import java.net.InetSocketAddress;

/**
 * A host of another machine that has authenticated.
 *
 * @param certificate the certificate that it presented
 * @param address the address from which it connected
 * @param plugins the plugins that it may use
 */
public record RemoteHost(Bytes certificate, InetSocketAddress address, PluginGrant plugins) {

    /** {@return the SHA-256 digest of the certificate, as {@code urom key fingerprint} prints it} */
    public String fingerprint() {
        return Certificates.fingerprint(certificate.toArray());
    }

    /** {@return the address and the port in the notation of service files} */
    public String addressText() {
        return new ListenAddress.Tls(address).toString();
    }
}
