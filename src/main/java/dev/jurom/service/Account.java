// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the system knows of a user: {@code /etc/passwd} is asked first, and then every source of the
 * system, by {@code getent}.
 *
 * @param name the login name
 * @param userId its number
 * @param groupId the number of its first group
 * @param home its home directory
 * @param shell its shell
 */
record Account(String name, int userId, int groupId, String home, String shell) {

    private static final int PASSWD_FIELDS = 7;
    private static final int GROUP_FIELDS = 4;
    private static final int GETENT_SECONDS = 5;

    /** The account of a user, if there is one. */
    static Optional<Account> of(int userId) {
        var number = Integer.toUnsignedString(userId);
        return find("passwd", number, PASSWD_FIELDS, fields -> fields[2].equals(number))
                .flatMap(Account::parse);
    }

    /** The account with a name, if there is one. */
    static Optional<Account> named(String name) {
        return find("passwd", name, PASSWD_FIELDS, fields -> fields[0].equals(name))
                .flatMap(Account::parse);
    }

    /**
     * A group of the system.
     *
     * @param number as text
     * @param members names of accounts for which it is a supplementary group
     */
    record Group(String number, List<String> members) {

        /** The group with a name, if there is one. */
        static Optional<Group> named(String name) {
            return find("group", name, GROUP_FIELDS, fields -> fields[0].equals(name))
                    .map(fields -> new Group(fields[2], List.of(fields[3].split(","))));
        }
    }

    /** Whether this account is a member of a group. */
    boolean isMemberOf(Group group) {
        return group.number.equals(Integer.toUnsignedString(groupId))
                || group.members.contains(name);
    }

    private static Optional<Account> parse(String[] fields) {
        try {
            return Optional.of(new Account(fields[0], Integer.parseUnsignedInt(fields[2]),
                    Integer.parseUnsignedInt(fields[3]), fields[5], fields[6]));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<String[]> find(String database, String key, int count,
            Predicate<String[]> wanted) {
        if (key.startsWith("-")) { // getent would take it for an option
            return Optional.empty();
        }
        return Stream.<LineSource>of(() -> Files.readAllLines(Path.of("/etc", database)),
                        () -> getent(database, key))
                .flatMap(source -> lines(source).stream())
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length >= count && wanted.test(fields))
                .findFirst();
    }

    /** Lines of a database. */
    private interface LineSource {
        List<String> read() throws IOException, InterruptedException;
    }

    private static List<String> lines(LineSource source) {
        try {
            return source.read();
        } catch (IOException e) {
            return List.of(); // this source knows nobody
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static List<String> getent(String database, String key)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder("getent", database, key)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().retainAll(List.of("PATH"));
        var process = builder.start();
        try {
            process.getOutputStream().close();
            return process.waitFor(GETENT_SECONDS, TimeUnit.SECONDS)
                    ? process.inputReader().lines().toList() : List.of();
        } finally {
            process.destroyForcibly();
        }
    }
}
