// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.runtime.DaemonException;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.ProtectedFile;
import dev.jurom.service.wire.Bytes;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** The service's key and certificate, and TLS connections with them. This class is thread-safe. */
public final class TlsIdentity {

    private static final String VERSION = "TLSv1.3";
    /** Password of a key store that exists only in memory. */
    private static final char[] NO_PASSWORD = new char[0];

    private static final int RECORD_HEADER = 5;
    private static final int RECORD_HANDSHAKE = 22;
    private static final int RECORD_MAX = 1 << 14;
    /**
     * Number of first messages that are answered concurrently: unauthenticated hosts take at most half of the
     * processors.
     */
    private static final int ANSWERED = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final KeyManager[] keyManagers;
    private final Semaphore answering = new Semaphore(ANSWERED, true);

    private TlsIdentity(KeyManager[] keyManagers) {
        this.keyManagers = keyManagers;
    }

    /**
     * Reads a file with a private key and its certificate.
     *
     * @param file the file, with the key in PKCS #8
     * @param own the user of the service
     * @return the identity with that key
     * @throws DaemonException if others can access it, or its content is invalid
     */
    public static TlsIdentity read(Path file, Credentials own) {
        try {
            var pem = PemFile.parse(ProtectedFile.read("key file", file, ProtectedFile.Rule.SECRET, own));
            var certificate = PemFile.certificate(pem.first(PemFile.CERTIFICATE));
            var key = PemFile.privateKey(pem.first(PemFile.PRIVATE_KEY), certificate);
            Certificates.requirePair(key, certificate.getPublicKey());
            return new TlsIdentity(keyManagers(key, certificate));
        } catch (PemFile.MalformedException | GeneralSecurityException | IOException e) {
            throw DaemonException.ofConfiguration(
                    "The key file " + file + " cannot be used: " + e.getMessage()
                            + "; `urom key create` creates a valid one",
                    e);
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
     * Performs the handshake over an accepted socket. Blocks until the host's first message arrives, until it
     * can be answered, and for the rest of the handshake; closing the socket ends the waits for the host.
     *
     * @param socket the connected socket, which the caller closes
     * @param hosts the hosts that are authorized
     * @param limit maximum time until the first message can be answered
     * @param waits receives true when the service begins to wait for the host, and false when it stops waiting
     * @return the secured socket; closing it leaves {@code socket} open
     * @throws IOException if the host is not authorized or disconnects, or the limit expires
     */
    public SSLSocket shakeHands(Socket socket, AuthorizedHosts hosts, Duration limit, Consumer<Boolean> waits)
            throws IOException {
        waits.accept(true);
        var hello = new ByteArrayInputStream(firstRecord(socket.getInputStream()));
        waits.accept(false);
        if (!await(limit)) {
            throw new IOException("the service could not answer it in time");
        }
        var input = new FirstMessage(hello, () -> {
            answering.release();
            waits.accept(true);
        });
        try {
            var secured = accept(socket, hosts, input);
            secured.startHandshake();
            return secured;
        } finally {
            input.end();
        }
    }

    private boolean await(Duration limit) throws IOException {
        try {
            return answering.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted");
        }
    }

    private static byte[] firstRecord(InputStream input) throws IOException {
        var header = input.readNBytes(RECORD_HEADER);
        if (header.length < RECORD_HEADER || header[0] != RECORD_HANDSHAKE) {
            throw new IOException("it does not begin with a TLS handshake");
        }
        var length = Byte.toUnsignedInt(header[3]) << 8 | Byte.toUnsignedInt(header[4]);
        if (length > RECORD_MAX) {
            throw new IOException("its first message has " + length + " bytes");
        }
        var record = Arrays.copyOf(header, RECORD_HEADER + length);
        if (input.readNBytes(record, RECORD_HEADER, length) < length) {
            throw new IOException("it has closed the connection within its first message");
        }
        return record;
    }

    /**
     * The input of TLS, which begins with the first message of a host. When TLS reads beyond it, the message has been
     * answered, and the next host's can be.
     */
    private static final class FirstMessage extends FilterInputStream {
        private final Runnable answered;
        private boolean ended;

        FirstMessage(InputStream hello, Runnable answered) {
            super(hello);
            this.answered = answered;
        }

        @Override
        public int read() throws IOException {
            var read = super.read();
            endAtEnd(read);
            return read;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            var read = super.read(bytes, from, length);
            endAtEnd(read);
            return read;
        }

        private void endAtEnd(int read) {
            if (read < 0) {
                end();
            }
        }

        void end() {
            if (!ended) {
                ended = true;
                answered.run();
            }
        }
    }

    /**
     * Creates a TLS connection over an accepted socket. Each has a separate context, so that no session can be
     * resumed: a host that is no longer authorized is rejected.
     */
    private SSLSocket accept(Socket socket, AuthorizedHosts hosts, InputStream hello) throws IOException {
        try {
            var context = SSLContext.getInstance(VERSION);
            context.init(keyManagers, new TrustManager[] {hosts.trustManager()}, null);
            var secured = (SSLSocket) context.getSocketFactory().createSocket(socket, hello, false);
            secured.setUseClientMode(false);
            secured.setEnabledProtocols(new String[] {VERSION});
            secured.setNeedClientAuth(true);
            return secured;
        } catch (GeneralSecurityException e) {
            throw new IOException("The JDK does not support " + VERSION + ": " + e.getMessage(), e);
        }
    }

    /**
     * {@return the encoded certificate that the host presented}
     *
     * @param socket a socket whose handshake has succeeded
     * @throws IOException if the host presented none
     */
    public Bytes certificateOf(SSLSocket socket) throws IOException {
        try {
            return Bytes.of(socket.getSession().getPeerCertificates()[0].getEncoded());
        } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
            throw new IOException("The host has no certificate", e);
        }
    }
}
