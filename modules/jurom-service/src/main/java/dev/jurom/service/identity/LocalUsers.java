// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.internal.UserNamespace;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.linux.PeerProcess;
import dev.jurom.service.settings.DaemonConfiguration;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** The users of this machine that the service serves. This class is thread-safe. */
public final class LocalUsers {

    private static final String WITHOUT_ACCOUNT = "without an account";

    private final Credentials own;
    private final DaemonConfiguration.Users served;
    private final CallerProcess.Own ownProcess;
    private final RecentLookups<Integer, Account> accounts = new RecentLookups<>(Account::of);
    private final RecentLookups<String, String> groups = new RecentLookups<>(Account::groupNamed);
    private final RecentLookups<Account, Set<String>> memberships =
            new RecentLookups<>(account -> Optional.of(account.groups()));

    /**
     * Creates the set of served users: the service's own user, or also others.
     *
     * @param own the user of the service
     * @param served whether to serve other users, and which
     * @throws DaemonException if this process cannot switch to another user, or the group does not exist
     */
    public LocalUsers(Credentials own, DaemonConfiguration.Users served) {
        this.own = own;
        this.served = served;
        this.ownProcess = ownProcess();
        if (served.all() && !own.mayChangeUser()) {
            throw DaemonException.ofConfiguration(
                    "The service cannot serve other users without the"
                            + " capabilities CAP_CHOWN, CAP_SETUID and CAP_SETGID: run it as root, or for"
                            + " its own user",
                    null);
        }
        served.group().filter(group -> Account.groupNamed(group).isEmpty()).ifPresent(group -> {
            throw DaemonException.ofConfiguration(
                    "The group \"" + group + "\" that the service is to serve" + " does not exist", null);
        });
    }

    private static CallerProcess.Own ownProcess() {
        try {
            return CallerProcess.Own.read();
        } catch (IOException e) {
            throw new DaemonException(
                    "The service cannot read the properties of its own process in /proc: " + e.getMessage(), e);
        }
    }

    /** {@return the service's own user} */
    public Credentials own() {
        return own;
    }

    /** {@return whether workers run as other users than the service} */
    public boolean includesOthers() {
        return served.all();
    }

    /**
     * Identifies a host that has connected. Blocks for at most 30 s, for lookups of accounts.
     *
     * @param process the process at the other end of the connection
     * @return the host, whose workers run as the user of that process, with its restrictions
     * @throws RequestRefused if the service does not serve that process
     */
    public Peer peer(PeerProcess process) throws RequestRefused {
        var userId = process.userId();
        var number = Integer.toUnsignedString(userId);
        if (!isKnown(process)) {
            throw refused(
                    UserNamespace.isOneUser(userId)
                            ? "The service has no workers of user " + number + ", as which it probes plugins: run the"
                                    + " host as another user, or use a service of one user"
                            : "The service cannot identify the user of this process: the kernel reports it"
                                    + " as user " + number + ", which stands for all users that the service's user"
                                    + " namespace lacks");
        }
        if (userId != own.userId() && !served.all()) {
            throw refused("The service belongs to user " + Integer.toUnsignedString(own.userId())
                    + " and does not serve other users, such as user " + number
                    + ": start a service of your own");
        }
        var confinement = confinement(process);
        var account = accounts.of(userId);
        var name = account.map(Account::name).orElse(WITHOUT_ACCOUNT) + " (" + number + ")";
        if (userId != own.userId()) {
            requireServed(account, name);
        }
        return new Peer(userId, account, Optional.empty(), confinement, "user " + name);
    }

    /**
     * /**
     * Returns whether the user is known. If its id stands for several users, only a host in the process of the
     * service is known. A service of all users has no workers of that user, because it probes plugins as that user.
     */
    private boolean isKnown(PeerProcess process) {
        return process.userId() != Credentials.UNMAPPED
                || process.userId() == own.userId()
                        && (UserNamespace.isOneUser(own.userId())
                                || process.id() == ProcessHandle.current().pid());
    }

    /**
     * Rejects a user without an account, if a recent lookup has shown that. Does not block.
     *
     * @param userId the numeric id of the user
     * @throws RequestRefused if that is the case, unless the user is the service's own
     */
    public void requireAccount(int userId) throws RequestRefused {
        if (userId != own.userId() && accounts.isKnownAbsent(userId)) {
            requireServed(Optional.empty(), WITHOUT_ACCOUNT + " (" + Integer.toUnsignedString(userId) + ")");
        }
    }

    private Confinement confinement(PeerProcess process) throws RequestRefused {
        if (process.id() == 0) {
            requireNamespaces("is in a PID namespace that is not visible to the service");
            return Confinement.UNKNOWN;
        }
        try {
            var caller = CallerProcess.read(process, ownProcess);
            if (!caller.isOfThisSystem()) {
                requireNamespaces("is in a user or PID namespace of its own");
            }
            return caller.confinement();
        } catch (IOException e) {
            throw refused("The service cannot determine the restrictions of the calling process: " + e.getMessage());
        }
    }

    /** Rejects a process in other namespaces, because its workers would escape the limits of its container. */
    private void requireNamespaces(String where) throws RequestRefused {
        if (served.all() && !served.namespaces()) {
            throw refused("The process that connected " + where + ", and this service of all users"
                    + " serves no such processes: start it with --allow-namespaces, or start a service of"
                    + " one user");
        }
    }

    private void requireServed(Optional<Account> account, String name) throws RequestRefused {
        var existing = account.orElseThrow(
                () -> refused("User " + name + " cannot have workers: give it an account on the service's machine"));
        if (served.group().isPresent()) {
            var group = served.group().get();
            if (!isMember(existing, groups.of(group))) {
                throw refused("User " + name + " is not in the group \"" + group + "\", which the service serves");
            }
        }
    }

    private boolean isMember(Account account, Optional<String> group) throws RequestRefused {
        return group.isPresent()
                && (group.get().equals(Integer.toUnsignedString(account.groupId()))
                        || memberships.of(account).orElseThrow().contains(group.get()));
    }

    /**
     * Checks that workers may run as the user of a host.
     *
     * @param peer the host
     * @throws RequestRefused if that user is root, and the service starts no workers as root
     */
    public void requireWorkersOf(Peer peer) throws RequestRefused {
        if (peer.userId() == Credentials.ROOT && served.all() && !served.root()) {
            throw refused("The service starts no workers as root: start it with --allow-root, or"
                    + " use a service that serves only root");
        }
    }

    /** Clears the caches of accounts and groups. */
    public void clearCaches() {
        accounts.clear();
        groups.clear();
        memberships.clear();
    }

    /** Returns whether the service can switch to the account of a remote host's workers. */
    boolean canServe(Account account) {
        return account.userId() == own.userId() || own.mayChangeUser() && served.all();
    }

    private static RequestRefused refused(String why) {
        return new RequestRefused(DocaError.NOT_PERMITTED, why);
    }
}
