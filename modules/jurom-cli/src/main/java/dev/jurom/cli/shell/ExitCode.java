// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

/** The exit codes of commands. {@code urom --help} and docs/operations.md list them. */
public final class ExitCode {

    /** The command succeeded. */
    public static final int DONE = 0;
    /** A check failed, or the service does not offer the requested item. */
    public static final int FOUND_WRONG = 1;
    /** The arguments are wrong. */
    public static final int USAGE = 2;
    /** There is no service: none is named, none runs, or none listens at the address. */
    public static final int NO_SERVICE = 3;
    /** The service or a worker has ended, or does not answer. */
    public static final int LOST = 4;
    /** This user lacks a permission, or the service does not authorize this host. */
    public static final int NOT_PERMITTED = 5;
    /** A file cannot be read, written or parsed; the disk may be full. */
    public static final int FILE = 6;
    /** The native libraries cannot be used. */
    public static final int LIBRARY = 7;
    /** Any other failure; {@code --debug} shows its stack trace. */
    public static final int UNEXPECTED = 70;

    /** The reader of standard output has exited: 128 plus SIGPIPE, as other programs. */
    public static final int NO_READER = 141;

    // The exit codes for --help, which requires constants.
    /** {@link #DONE} and its meaning for {@code --help}. */
    public static final String DONE_IS = DONE + ":done";
    /** {@link #FOUND_WRONG} and its meaning for {@code --help}. */
    public static final String FOUND_WRONG_IS = FOUND_WRONG + ":a check failed, or the service does not offer the item";
    /** {@link #USAGE} and its meaning for {@code --help}. */
    public static final String USAGE_IS = USAGE + ":wrong arguments";
    /** {@link #NO_SERVICE} and its meaning for {@code --help}. */
    public static final String NO_SERVICE_IS = NO_SERVICE + ":no service is named, runs or listens there";
    /** {@link #LOST} and its meaning for {@code --help}. */
    public static final String LOST_IS = LOST + ":the service or a worker has ended, or does not answer";
    /** {@link #NOT_PERMITTED} and its meaning for {@code --help}. */
    public static final String NOT_PERMITTED_IS = NOT_PERMITTED + ":not permitted, or not authorized by the service";
    /** {@link #FILE} and its meaning for {@code --help}. */
    public static final String FILE_IS = FILE + ":a file cannot be read, written or parsed; a full disk";
    /** {@link #LIBRARY} and its meaning for {@code --help}. */
    public static final String LIBRARY_IS = LIBRARY + ":the native libraries cannot be used";
    /** {@link #UNEXPECTED} and its meaning for {@code --help}. */
    public static final String UNEXPECTED_IS = UNEXPECTED + ":any other failure; --debug shows its stack trace";

    /** {@link #NO_READER} and its meaning for {@code --help}. */
    public static final String NO_READER_IS = NO_READER + ":the reader of standard output has exited";

    private ExitCode() {}
}
