// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.runtime.DaemonException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The account of a user, looked up first in {@code /etc/passwd} and then in all sources of the system by {@code
 * getent}. Each method blocks for at most 5 s and throws a {@link DaemonException} if a program of the system
 * has not answered by then or cannot be run. A system without {@code getent} has no other source.
 *
 * @param name the login name
 * @param userId the numeric id of the user
 * @param groupId the numeric id of the user's primary group
 * @param home the home directory
 * @param shell the login shell
 */
public record Account(String name, int userId, int groupId, String home, String shell) {

    private static final int PASSWD_FIELDS = 7;
    private static final int GROUP_FIELDS = 4;
    private static final int ANSWER_SECONDS = 5;
    private static final String NUMBER = "\\s*[+-]?[0-9]+";

    /** Returns the account of a user, if it exists. */
    static Optional<Account> of(int userId) {
        var number = Integer.toUnsignedString(userId);
        return find("passwd", number, PASSWD_FIELDS, fields -> fields[2].equals(number))
                .flatMap(Account::parse);
    }

    /**
     * Looks up the account with a name. A directory service may accept other spellings of the name, for example with
     * capital letters. The account has the canonical name.
     *
     * @param name the login name
     * @return the account; empty if there is none
     */
    public static Optional<Account> named(String name) {
        return find("passwd", name, PASSWD_FIELDS, isNamed(name)).flatMap(Account::parse);
    }

    /** Returns the numeric id of the group with a name, as text, if it exists. */
    static Optional<String> groupNamed(String name) {
        return find("group", name, GROUP_FIELDS, isNamed(name)).map(fields -> fields[2]);
    }

    /**
     * Returns the numeric ids of all groups of this account, as text. {@code id} computes them like the
     * launcher of workers (getgrouplist), because a directory service may not list the members of a group.
     */
    Set<String> groups() {
        var groups = lines("id", "-G", "--", name).stream()
                .flatMap(line -> Stream.of(line.split(" ")))
                .collect(Collectors.toSet());
        if (groups.isEmpty()) {
            throw new DaemonException("`id -G -- " + name + "` prints no groups", null);
        }
        return groups;
    }

    private static Optional<Account> parse(String[] fields) {
        try {
            return Optional.of(new Account(
                    fields[0],
                    Integer.parseUnsignedInt(fields[2]),
                    Integer.parseUnsignedInt(fields[3]),
                    fields[5],
                    fields[6]));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns a test of answers of {@code getent}, which looks up a number as an id. */
    private static Predicate<String[]> isNamed(String name) {
        return fields -> fields[0].equals(name) || !name.matches(NUMBER);
    }

    private static Optional<String[]> find(String database, String key, int count, Predicate<String[]> wanted) {
        if (key.startsWith("-")) { // getent would interpret it as an option
            return Optional.empty();
        }
        return first(entries(Path.of("/etc", database)), count, fields -> isEqual(fields, key) && wanted.test(fields))
                .or(() -> first(lines("getent", database, key), count, wanted));
    }

    private static boolean isEqual(String[] fields, String key) {
        return fields[0].equals(key) || fields[2].equals(key);
    }

    private static Optional<String[]> first(List<String> lines, int count, Predicate<String[]> wanted) {
        return lines.stream()
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length >= count && wanted.test(fields))
                .findFirst();
    }

    private static List<String> entries(Path database) {
        try {
            return Files.readAllLines(database);
        } catch (IOException e) {
            return List.of(); // getent also reads this file
        }
    }

    /** Returns the output of a program; empty if it is not installed. */
    private static List<String> lines(String... words) {
        try {
            return output(words);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new DaemonException(command(words) + " cannot be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static String command(String... words) {
        return "`" + String.join(" ", words) + "`";
    }

    private static List<String> output(String... words) throws IOException, InterruptedException {
        var process = start(words);
        try {
            process.getOutputStream().close();
            // Read concurrently, because the program blocks when the pipe (64 KiB) is full.
            var lines = new FutureTask<>(() -> process.inputReader().lines().toList());
            Thread.ofPlatform()
                    .inheritInheritableThreadLocals(false)
                    .daemon()
                    .name("urom-account")
                    .start(lines);
            return lines.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new DaemonException(
                    command(words) + " has not answered within " + ANSWER_SECONDS
                            + " s: check the sources in /etc/nsswitch.conf",
                    e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(String... words) throws IOException {
        var builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().retainAll(List.of("PATH"));
        try {
            return builder.start();
        } catch (IOException e) {
            // The JDK does not distinguish a missing program from a lack of memory or processes.
            throw isInstalled(words[0]) ? e : new NoSuchFileException(words[0]);
        }
    }

    private static boolean isInstalled(String program) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(":"))
                .anyMatch(directory -> new File(directory, program).exists());
    }
}
