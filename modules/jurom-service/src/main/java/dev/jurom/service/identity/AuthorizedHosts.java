// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.DaemonException;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.ProtectedFile;
import dev.jurom.service.plugins.PluginCatalog;
import dev.jurom.service.plugins.PluginGrant;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.wire.Bytes;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The remote hosts that the service accepts, by their certificates. An invalid entry authorises no host and
 * does not affect the others. This class is immutable.
 */
public final class AuthorizedHosts {

    /** The beginning of a line that names the account of the certificate below it. */
    public static final String ACCOUNT = "account:";

    /** The beginning of an option that names the plugins which the host of an entry may use. */
    public static final String PLUGINS = "plugins=";

    /**
     * A valid entry: the rights of the host with its certificate.
     *
     * @param line the line that names the account
     * @param account the account as which its workers run
     * @param plugins the plugins that it may use
     */
    private record Entry(int line, Account account, PluginGrant plugins) {}

    private static final Pattern OPTIONS = Pattern.compile("\\S*=");
    private static final Pattern NAMES = Pattern.compile("[^\\s,]+(,[^\\s,]+)*");

    private final Path file;
    private final Map<Bytes, Entry> entries;
    private final List<String> problems;

    private AuthorizedHosts(Path file, Map<Bytes, Entry> entries, List<String> problems) {
        this.file = file;
        this.entries = Map.copyOf(entries);
        this.problems = List.copyOf(problems);
    }

    /**
     * Reads a file in the format of {@link RemoteAccess}.
     *
     * @param file the file
     * @param own the user of the service
     * @param users determines which accounts the service serves
     * @return the hosts of the valid entries, and the problems of the others
     * @throws DaemonException if it cannot be read, or others can change it
     */
    public static AuthorizedHosts read(Path file, Credentials own, LocalUsers users) {
        var pem = PemFile.parse(
                ProtectedFile.read("file of authorized hosts", file, ProtectedFile.Rule.UNCHANGED_BY_OTHERS, own));
        var read = new Entries(users);
        pem.sections().forEach(read::add);
        return new AuthorizedHosts(
                file,
                read.entries,
                read.problems.stream().map(problem -> file + ", " + problem).toList());
    }

    /**
     * Returns a list without hosts, for a file that does not exist or cannot be used.
     *
     * @param file the file
     * @param problem why no host is authorized, with the name of the file
     * @return no hosts, with one problem
     */
    public static AuthorizedHosts none(Path file, String problem) {
        return new AuthorizedHosts(file, Map.of(), List.of(problem));
    }

    /** The entries of a file, in order: each is the line of an account, followed by a certificate. */
    private static final class Entries {

        final Map<Bytes, Entry> entries = new HashMap<>();
        final List<String> problems = new ArrayList<>();
        private final LocalUsers users;
        /** The failed lookups by account name, which are not repeated because each took seconds. */
        private final Map<String, DaemonException> failed = new HashMap<>();

        private @Nullable Entry entry; // of the next certificate
        private boolean isReported; // the next certificate follows an invalid line

        Entries(LocalUsers users) {
            this.users = users;
        }

        void add(PemFile.Section section) {
            try {
                switch (section) {
                    case PemFile.Text text when text.isBlankOrComment() -> {}
                    case PemFile.Text text -> {
                        entry = null;
                        isReported = true; // reset below if the line names an account
                        entry = entry(text);
                        isReported = false;
                    }
                    case PemFile.Broken broken -> throw new PemFile.MalformedException(broken.line(), broken.why());
                    case PemFile.Block block -> add(block);
                }
            } catch (PemFile.MalformedException e) {
                problems.add(e.getMessage());
            }
            if (!(section instanceof PemFile.Text)) {
                entry = null;
                isReported = false;
            }
        }

        private void add(PemFile.Block block) throws PemFile.MalformedException {
            if (!block.type().equals(PemFile.CERTIFICATE)) {
                throw new PemFile.MalformedException(
                        block.line(), "a " + block.type() + " is not allowed here: the file has only certificates");
            }
            PemFile.certificate(block); // throws if it is invalid
            if (entry != null) {
                var earlier = entries.putIfAbsent(Bytes.of(block.content()), entry);
                if (earlier != null) {
                    throw new PemFile.MalformedException(
                            block.line(),
                            "this certificate has an entry already, at line " + earlier.line()
                                    + ", which stays valid: remove one of the two");
                }
            } else if (!isReported) {
                throw new PemFile.MalformedException(
                        block.line(), "before each certificate, there must be a line \"account: NAME\"");
            }
        }

        private Entry entry(PemFile.Text line) throws PemFile.MalformedException {
            if (!line.text().startsWith(ACCOUNT)) {
                throw new PemFile.MalformedException(
                        line.line(),
                        "\"" + line.text() + "\" is neither \"account: NAME\" nor a certificate nor a comment");
            }
            // The name of an account may contain blanks, but no "=".
            var text = line.text().substring(ACCOUNT.length()).strip();
            var options = OPTIONS.matcher(text);
            var end = options.find() ? options.start() : text.length();
            return new Entry(
                    line.line(),
                    account(text.substring(0, end).strip(), line),
                    plugins(text.substring(end).strip(), line.line()));
        }

        private static PluginGrant plugins(String option, int line) throws PemFile.MalformedException {
            if (option.isEmpty()) {
                return PluginGrant.WITHOUT_UCX;
            }
            var names = option.startsWith(PLUGINS) ? option.substring(PLUGINS.length()) : "";
            if (!NAMES.matcher(names).matches()) {
                throw new PemFile.MalformedException(
                        line,
                        "\"" + option + "\" is not an option: \"plugins=NAME,NAME\" names the plugins"
                                + " that the host may use, without blanks");
            }
            return PluginGrant.of(Set.of(names.split(",")));
        }

        private Account account(String name, PemFile.Text line) throws PemFile.MalformedException {
            var account = lookUp(name, line.line())
                    .orElseThrow(() -> new PemFile.MalformedException(
                            line.line(), "there is no account \"" + name + "\" on this machine"));
            if (account.userId() == Credentials.ROOT || account.userId() == Credentials.UNMAPPED) {
                throw new PemFile.MalformedException(
                        line.line(), "workers of remote hosts never run as \"" + name + "\": choose another account");
            }
            if (!users.canServe(account)) {
                throw new PemFile.MalformedException(
                        line.line(), "the service cannot run workers as \"" + name + "\": it cannot change users");
            }
            return account;
        }

        private Optional<Account> lookUp(String name, int line) throws PemFile.MalformedException {
            var failure = failed.get(name);
            if (failure == null) {
                try {
                    return Account.named(name);
                } catch (DaemonException e) {
                    failure = e;
                    failed.put(name, e);
                }
            }
            throw new PemFile.MalformedException(line, String.valueOf(failure.getMessage()));
        }
    }

    /** {@return the problems of invalid entries, each with the file and the line} */
    public List<String> problems() {
        return problems;
    }

    /**
     * Finds the entries with plugins that the service does not have.
     *
     * @param catalog the plugins of the service
     * @return a sentence for each of these entries, with the file and the line
     */
    public List<String> missingPlugins(PluginCatalog catalog) {
        return entries.values().stream()
                .sorted(Comparator.comparing(Entry::line))
                .filter(entry -> !entry.plugins().missing(catalog).isEmpty())
                .map(entry -> file + ", line " + entry.line() + ": the service has no plugin "
                        + String.join(" and no plugin ", entry.plugins().missing(catalog)))
                .toList();
    }

    /** {@return the number of authorized hosts} */
    public int size() {
        return entries.size();
    }

    /**
     * Returns whether a host is still authorized for the account and all plugins for which it was when it connected.
     *
     * @param peer the host, as it was authenticated
     * @return true also for every host of this machine
     */
    public boolean authorizes(Peer peer) {
        return peer.remote().map(host -> authorizes(host, peer.userId())).orElse(true);
    }

    private boolean authorizes(RemoteHost host, int userId) {
        var entry = entries.get(host.certificate());
        return entry != null
                && entry.account().userId() == userId
                && entry.plugins().covers(host.plugins());
    }

    /**
     * Identifies a host by the certificate that it has presented.
     *
     * @param certificate the certificate, encoded
     * @param address the address of the host, for the log
     * @return the host, and the user as which its workers run
     * @throws RequestRefused if no valid entry has that certificate
     */
    public Peer peer(Bytes certificate, InetSocketAddress address) throws RequestRefused {
        var entry = entries.get(certificate);
        if (entry == null) { // the trust manager has rejected it before
            throw new RequestRefused(
                    DocaError.AUTHENTICATION, "The host's certificate is not among the authorized hosts");
        }
        var account = entry.account();
        return new Peer(
                account.userId(),
                Optional.of(account),
                Optional.of(new RemoteHost(certificate, address, entry.plugins())),
                Confinement.UNKNOWN,
                "host " + address.getAddress().getHostAddress() + " as user " + account.name());
    }

    /**
     * Returns a trust manager that accepts exactly these certificates, byte by byte, and no certificate
     * authorities.
     */
    TrustManager trustManager() {
        return new X509ExtendedTrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
                if (!entries.containsKey(Bytes.of(chain[0].getEncoded()))) {
                    throw new CertificateException("its certificate (SHA-256 "
                            + Certificates.fingerprint(chain[0])
                            + ") is not among the authorized hosts");
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
            public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                throw new CertificateException("a service does not connect to other services");
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
