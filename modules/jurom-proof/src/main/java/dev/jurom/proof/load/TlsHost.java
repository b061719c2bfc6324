// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** The TLS side of a remote host with its key in a file. */
final class TlsHost {

    private static final int PATIENCE_MS = 20_000;

    /** Accepts every certificate: the checks of hosts are tested elsewhere. */
    private static final TrustManager TRUSTS_ALL = new X509TrustManager() {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    };

    private final KeyManager[] keys;

    TlsHost(Path keyFile) throws IOException {
        try {
            keys = managers(Files.readString(keyFile));
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use the key file " + keyFile + ": " + e, e);
        }
    }

    private static KeyManager[] managers(String pem) throws GeneralSecurityException, IOException {
        var words = pem.split("-----[A-Z ]+-----");
        var key = KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(words[1])));
        var certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new java.io.ByteArrayInputStream(
                        pem.substring(pem.indexOf("-----BEGIN CERT")).getBytes(StandardCharsets.US_ASCII)));
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("host", key, new char[0], new Certificate[] {certificate});
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    /** Connects to a local port and completes the handshake, which authenticates both sides. */
    SSLSocket connect(int port) throws IOException {
        var plain = new Socket();
        try {
            plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
            plain.setSoTimeout(PATIENCE_MS);
            var context = SSLContext.getInstance("TLSv1.3");
            context.init(keys, new TrustManager[] {TRUSTS_ALL}, null);
            var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "service", port, true);
            socket.startHandshake();
            return socket;
        } catch (GeneralSecurityException e) {
            plain.close();
            throw new IOException("TLS 1.3 is not available: " + e.getMessage(), e);
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }
}
