// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

/** What a command ends with. {@code urom --help} and docs/operations.md list them. */
public final class ExitCode {

    /** It was done. */
    public static final int DONE = 0;
    /** Something is not as it should be: a check failed, or what was asked for is not offered. */
    public static final int FOUND_WRONG = 1;
    /** The arguments are wrong. */
    public static final int USAGE = 2;
    /** There is no service: none is named, none runs, or nothing listens where it should be. */
    public static final int NO_SERVICE = 3;
    /** The service or a worker has ended meanwhile, or does not answer. */
    public static final int LOST = 4;
    /** This user may not do that, or the service does not know this host. */
    public static final int NOT_PERMITTED = 5;
    /** A file cannot be read, written or understood; the disk may be full. */
    public static final int FILE = 6;
    /** The native libraries cannot be used. */
    public static final int LIBRARY = 7;
    /** Anything else: {@code --debug} shows where. */
    public static final int UNEXPECTED = 70;

    // The same for --help, which wants constants.
    public static final String DONE_IS = DONE + ":done";
    public static final String FOUND_WRONG_IS = FOUND_WRONG + ":something is not as it should be";
    public static final String USAGE_IS = USAGE + ":wrong arguments";
    public static final String NO_SERVICE_IS = NO_SERVICE + ":no service is named, runs or listens there";
    public static final String LOST_IS = LOST + ":the service or a worker has ended, or does not answer";
    public static final String NOT_PERMITTED_IS = NOT_PERMITTED + ":not permitted, or not known to the service";
    public static final String FILE_IS = FILE + ":a file cannot be read, written or understood; a full disk";
    public static final String LIBRARY_IS = LIBRARY + ":the native libraries cannot be used";
    public static final String UNEXPECTED_IS = UNEXPECTED + ":anything else; --debug shows where";

    private ExitCode() {}
}
