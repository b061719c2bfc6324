// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.service.wire.Bytes;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** The service's key and certificate, and TLS with them. Any thread may use it. */
final class TlsIdentity {

    private static final String VERSION = "TLSv1.3";
    /** Of a key store that never leaves the memory. */
    private static final char[] NO_PASSWORD = new char[0];

    private final KeyManager[] keyManagers;

    private TlsIdentity(KeyManager[] keyManagers) {
        this.keyManagers = keyManagers;
    }

    /**
     * Reads a file with a private key and its certificate.
     *
     * @throws DaemonException if others can access it, or it has no such content
     */
    static TlsIdentity read(Path file, Credentials own) {
        try {
            var pem = PemFile.parse(ProtectedFile.read("key file", file, ProtectedFile.Rule.SECRET,
                    own));
            var certificate = PemFile.certificate(pem.first(PemFile.CERTIFICATE));
            var key = PemFile.privateKey(pem.first(PemFile.PRIVATE_KEY), certificate);
            KeyPairFile.requirePair(key, certificate.getPublicKey());
            return new TlsIdentity(keyManagers(key, certificate));
        } catch (PemFile.MalformedException | GeneralSecurityException | IOException e) {
            throw new DaemonException("The key file " + file + " cannot be used: "
                    + e.getMessage() + "; `urom key create` makes a good one", e);
        }
    }

    private static KeyManager[] keyManagers(PrivateKey key, X509Certificate certificate)
            throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("service", key, NO_PASSWORD, new X509Certificate[] {certificate});
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /**
     * TLS over a socket that was accepted; its handshake is yet to come. Each has a context of its
     * own, so that no session can be resumed: a host that is not known any more is not let in.
     */
    SSLSocket accept(Socket socket, AuthorizedHosts hosts) throws IOException {
        try {
            var context = SSLContext.getInstance(VERSION);
            context.init(keyManagers, new TrustManager[] {hosts.trustManager()}, null);
            var secured = (SSLSocket) context.getSocketFactory().createSocket(socket, null, false);
            secured.setUseClientMode(false);
            secured.setEnabledProtocols(new String[] {VERSION});
            secured.setNeedClientAuth(true);
            return secured;
        } catch (GeneralSecurityException e) {
            throw new IOException("The JDK has no " + VERSION + ": " + e.getMessage(), e);
        }
    }

    /** What the host has shown. */
    Bytes certificateOf(SSLSocket socket) throws IOException {
        try {
            return Bytes.of(socket.getSession().getPeerCertificates()[0].getEncoded());
        } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
            throw new IOException("The host has no certificate", e);
        }
    }
}
