// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;

/** Which users of this machine the service serves, and who connects. Immutable. */
final class LocalUsers {

    private final Credentials own;
    private final DaemonConfiguration.Users served;

    /**
     * Serves the service's own user, or others too.
     *
     * @throws DaemonException if it cannot become another user, or there is no such group
     */
    LocalUsers(Credentials own, DaemonConfiguration.Users served) {
        this.own = own;
        this.served = served;
        if (served.all() && !own.mayChangeUser()) {
            throw new DaemonException("The service cannot serve other users without the"
                    + " capabilities CAP_CHOWN, CAP_SETUID and CAP_SETGID: run it as root, or for"
                    + " its own user", null);
        }
        served.group().filter(group -> !Account.groupExists(group)).ifPresent(group -> {
            throw new DaemonException("The group \"" + group + "\" that the service is to serve"
                    + " does not exist", null);
        });
    }

    /** Whether workers run as other users than the service. */
    boolean includesOthers() {
        return served.all();
    }

    /** Who has connected. */
    Peer peer(SocketChannel channel) throws IOException, RequestRefused {
        return peer(userId(channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user()));
    }

    private Peer peer(int userId) throws RequestRefused {
        var account = Account.of(userId);
        var number = Integer.toUnsignedString(userId);
        var name = account.map(Account::name).orElse("without an account") + " (" + number + ")";
        if (userId == Credentials.UNMAPPED) {
            throw refused("The service does not know you: as user " + number
                    + " the kernel shows whom this user namespace does not have");
        }
        if (userId != own.userId()) {
            requireServed(account, name);
        }
        return new Peer(userId, account, Optional.empty(), "user " + name);
    }

    private void requireServed(Optional<Account> account, String name) throws RequestRefused {
        if (!served.all()) {
            throw refused("The service is that of user " + Integer.toUnsignedString(own.userId())
                    + " and serves no others, such as user " + name + ": start one of your own");
        }
        var known = account.orElseThrow(() -> refused("User " + name
                + " cannot have workers: give it an account on the service's machine"));
        if (!served.group().map(known::isMemberOf).orElse(true)) {
            throw refused("User " + name + " is not in the group \"" + served.group().orElseThrow()
                    + "\", which the service serves");
        }
    }

    /** The account as whose user a remote host's workers run, if the service can become it. */
    boolean canServe(Account account) {
        return account.userId() == own.userId() || own.mayChangeUser() && served.all();
    }

    /**
     * The number of a user. The JDK shows names, and a name may look like another user's number;
     * its hash code is the number, which is believed only if looking that up gives the same user.
     */
    static int userId(UserPrincipal user) throws IOException, RequestRefused {
        var number = user.hashCode();
        var same = FileSystems.getDefault().getUserPrincipalLookupService()
                .lookupPrincipalByName(Integer.toUnsignedString(number));
        if (!same.equals(user)) {
            throw refused("The service cannot tell which user \"" + user.getName() + "\" is");
        }
        return number;
    }

    private static RequestRefused refused(String why) {
        return new RequestRefused(DocaError.NOT_PERMITTED, why);
    }
}
