// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import dev.jurom.runtime.internal.UserNamespace;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Optional;

/**
 * The user of the process that listens at a Unix socket. Users are compared by number, as the library does.
 *
 * @param listener the user that the kernel reports for the socket
 * @param own the user of this process
 * @param accepted the value of {@value #VARIABLE}, if it is set
 */
record ServiceUser(UserPrincipal listener, UserPrincipal own, Optional<String> accepted) {

    private static final String VARIABLE = "JUROM_SERVICE_USER";
    private static final String ROOT = "0";
    private static final String UNMAPPED = Integer.toString(UserNamespace.UNMAPPED);
    private static final String NUMBER = "0|[1-9][0-9]{0,9}";
    private static final String NAME = "service";

    static ServiceUser of(UserPrincipal listener) throws IOException {
        return new ServiceUser(
                listener, Files.getOwner(Path.of("/proc/self")), Optional.ofNullable(System.getenv(VARIABLE)));
    }

    /** Checks whether this process accepts a service of the user at the address. */
    Finding check(String address, String process) throws IOException {
        var what = address + " belongs to user " + listener.getName();
        if (isAccepted()) {
            return Finding.pass(NAME, what + process);
        }
        return is(UNMAPPED)
                ? Finding.fail(
                        NAME,
                        what + ", which stands for all users outside this user namespace",
                        "set " + VARIABLE + "=" + UNMAPPED + " if only root can replace the socket")
                : Finding.fail(
                        NAME,
                        what + "; this host accepts only services of its own user or root",
                        "write a service file with the address of a service that runs as " + own.getName()
                                + " or as root");
    }

    private boolean isAccepted() throws IOException {
        if (accepted.isPresent() && accepted.get().matches(NUMBER) && is(accepted.get())) {
            return true;
        }
        return (!is(UNMAPPED) || UserNamespace.isOneUser(UserNamespace.UNMAPPED)) && (listener.equals(own) || is(ROOT));
    }

    private boolean is(String number) throws IOException {
        try {
            return listener.equals(
                    FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(number));
        } catch (UserPrincipalNotFoundException e) {
            return false;
        }
    }
}
