// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import dev.jurom.service.wire.Bytes;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The hosts of other machines that the service knows, by their certificates. Immutable. */
final class AuthorizedHosts {

    private static final String ACCOUNT = "account:";

    private final Map<Bytes, Account> accounts;

    private AuthorizedHosts(Map<Bytes, Account> accounts) {
        this.accounts = Map.copyOf(accounts);
    }

    /**
     * Reads a file as {@link RemoteAccess} describes it.
     *
     * @throws DaemonException if others can change it, or a line is wrong
     */
    static AuthorizedHosts read(Path file, Credentials own, LocalUsers users) {
        try {
            var pem = PemFile.parse(ProtectedFile.read("file of authorized hosts", file,
                    ProtectedFile.Rule.UNCHANGED_BY_OTHERS, own));
            return new AuthorizedHosts(accounts(pem, users));
        } catch (PemFile.MalformedException e) {
            throw new DaemonException("The file of authorized hosts " + file
                    + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static Map<Bytes, Account> accounts(PemFile pem, LocalUsers users)
            throws PemFile.MalformedException {
        var accounts = new HashMap<Bytes, Account>();
        Account account = null;
        for (var section : pem.sections()) {
            switch (section) {
                case PemFile.Text text when text.meansNothing() -> {
                }
                case PemFile.Text text -> account = account(text, users);
                case PemFile.Block block -> {
                    if (account == null) {
                        throw new PemFile.MalformedException(block.line(),
                                "before each certificate, there must be a line \"account: NAME\"");
                    }
                    if (!block.type().equals(PemFile.CERTIFICATE)) {
                        throw new PemFile.MalformedException(block.line(), "a " + block.type()
                                + " does not belong here: only certificates do");
                    }
                    PemFile.certificate(block); // must be one
                    accounts.put(Bytes.of(block.content()), account);
                    account = null;
                }
            }
        }
        return accounts;
    }

    private static Account account(PemFile.Text line, LocalUsers users)
            throws PemFile.MalformedException {
        if (!line.text().startsWith(ACCOUNT)) {
            throw new PemFile.MalformedException(line.line(), "\"" + line.text()
                    + "\" is neither \"account: NAME\" nor a certificate nor a comment");
        }
        var name = line.text().substring(ACCOUNT.length()).strip();
        var account = Account.named(name).orElseThrow(() -> new PemFile.MalformedException(
                line.line(), "there is no account \"" + name + "\" on this machine"));
        if (account.userId() == Credentials.ROOT || account.userId() == Credentials.UNMAPPED) {
            throw new PemFile.MalformedException(line.line(), "workers of other machines' hosts"
                    + " never run as \"" + name + "\": choose an account of its own for them");
        }
        if (!users.canServe(account)) {
            throw new PemFile.MalformedException(line.line(), "the service cannot run workers as \""
                    + name + "\": it may not change users");
        }
        return account;
    }

    /** How many there are. */
    int size() {
        return accounts.size();
    }

    /** Whether a host is still the one that it was when it connected. */
    boolean knows(Peer peer) {
        return peer.isLocal() || Optional.ofNullable(accounts.get(peer.certificate().orElseThrow()))
                .map(account -> account.userId() == peer.userId()).orElse(false);
    }

    /** The host that has shown a certificate. */
    Peer peer(Bytes certificate, InetAddress address) throws RequestRefused {
        var account = accounts.get(certificate);
        if (account == null) { // the trust manager has refused it before
            throw new RequestRefused(DocaError.AUTHENTICATION,
                    "The service does not know the host's certificate");
        }
        return new Peer(account.userId(), Optional.of(account), Optional.of(certificate),
                Confinement.UNKNOWN, "host "
                + address.getHostAddress() + " as user " + account.name());
    }

    /** Trusts these certificates, to the byte, and no others; no authority vouches for any. */
    TrustManager trustManager() {
        return new X509ExtendedTrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type)
                    throws CertificateException {
                if (!accounts.containsKey(Bytes.of(chain[0].getEncoded()))) {
                    throw new CertificateException("the certificate of "
                            + chain[0].getSubjectX500Principal()
                            + " is not among the authorized hosts");
                }
            }

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                    throws CertificateException {
                checkClientTrusted(chain, type);
            }

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                    throws CertificateException {
                checkClientTrusted(chain, type);
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type)
                    throws CertificateException {
                throw new CertificateException("this is a service, which asks no other");
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                    throws CertificateException {
                checkServerTrusted(chain, type);
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                    throws CertificateException {
                checkServerTrusted(chain, type);
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
    }
}
