// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.service.identity.PemFile;
import dev.jurom.service.settings.ListenAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** The keys of services and hosts in a directory, and TLS connections that use them. */
public final class TestKeys {

    /** Accepts all certificates: the checks of hosts are tested elsewhere. */
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

    private final Path directory;

    public TestKeys(Path directory) {
        this.directory = directory;
    }

    /** Creates a key file and returns the certificate. */
    public String create(String name) {
        try {
            return KeyPairFile.create(file(name), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path file(String name) {
        return directory.resolve(name);
    }

    /** Writes the file of authorized hosts. */
    public Path authorize(String... lines) {
        try {
            return Files.writeString(file("hosts"), String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects by TLS with a key, or without a key if it is null. */
    public TestHost connect(ListenAddress address, String key, String... protocols) throws IOException {
        var socket = socket(address, key, protocols);
        return new TestHost(socket, socket.getInputStream(), socket.getOutputStream());
    }

    /** Creates a socket before the handshake. */
    public SSLSocket socket(ListenAddress address, String key, String... protocols) throws IOException {
        var port = ((ListenAddress.Tls) address).socket().getPort();
        var plain = new Socket();
        plain.connect(new InetSocketAddress("127.0.0.1", port));
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(key == null ? null : managers(key).getKeyManagers(), new TrustManager[] {TRUSTS_ALL}, null);
            var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "service", port, true);
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            return socket;
        } catch (GeneralSecurityException | PemFile.MalformedException e) {
            throw new AssertionError(e);
        }
    }

    private KeyManagerFactory managers(String name)
            throws IOException, GeneralSecurityException, PemFile.MalformedException {
        var pem = PemFile.parse(Files.readString(file(name)));
        var certificate = PemFile.certificate(pem.first(PemFile.CERTIFICATE));
        var store = KeyStore.getInstance("JKS");
        store.load(null, null);
        store.setKeyEntry(
                "host",
                PemFile.privateKey(pem.first(PemFile.PRIVATE_KEY), certificate),
                new char[0],
                new X509Certificate[] {certificate});
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory;
    }
}
