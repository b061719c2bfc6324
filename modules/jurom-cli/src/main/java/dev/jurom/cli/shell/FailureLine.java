// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.urom.ServiceFileException;
import dev.jurom.urom.exchange.ExchangeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.ParameterException;

/**
 * The presentation of a failure to the user: one line and an exit code.
 *
 * @param text one line
 * @param exitCode one of {@link ExitCode}
 */
public record FailureLine(String text, int exitCode) {

    private static final int LONGEST_CHAIN = 16;

    /**
     * Describes a failure, with the exit code for its type and cause.
     *
     * @param failure any failure of a command
     * @return its line
     */
    public static FailureLine of(Throwable failure) {
        return new FailureLine(oneLine(sentence(failure)), exitCode(failure));
    }

    private static int exitCode(Throwable failure) {
        return switch (failure) {
            case CommandFailure known -> known.exitCode();
            case DocaException refused ->
                ofStatus(refused.error(), refused.function().equals("doca_ctx_start"));
            case ExchangeException ranks -> ofStatus(ranks.error(), false);
            case ServiceFileException malformed -> ExitCode.FILE;
            case UncheckedIOException wrapped -> ofFile(wrapped);
            case IOException file -> ofFile(file);
            case LibraryLoadException library -> isAboutFiles(library) ? ofFile(library) : ExitCode.LIBRARY;
            case IllegalCallerException noAccess -> ExitCode.LIBRARY;
            case DaemonException service -> isAboutFiles(service) ? ofFile(service) : ExitCode.NO_SERVICE;
            case IllegalArgumentException argument -> ExitCode.USAGE;
            case ParameterException argument -> ExitCode.USAGE;
            default -> ExitCode.UNEXPECTED;
        };
    }

    private static int ofStatus(DocaError error, boolean starts) {
        return switch (error) {
            case NOT_PERMITTED, AUTHENTICATION -> ExitCode.NOT_PERMITTED;
            case NOT_CONNECTED -> ExitCode.NO_SERVICE;
            case NOT_FOUND -> starts ? ExitCode.NO_SERVICE : ExitCode.FOUND_WRONG;
            case CONNECTION_ABORTED -> starts ? ExitCode.NO_SERVICE : ExitCode.LOST;
            case BAD_CONFIG -> ExitCode.FILE;
            case IO_FAILED -> starts ? ExitCode.FILE : ExitCode.LOST;
            case INITIALIZATION -> starts ? ExitCode.LOST : ExitCode.UNEXPECTED;
            case AGAIN, TIME_OUT, SHUTDOWN, CONNECTION_RESET, BAD_STATE -> ExitCode.LOST;
            case FULL, OPERATING_SYSTEM, NOT_SUPPORTED, UNSUPPORTED_VERSION -> ExitCode.FOUND_WRONG;
            case INVALID_VALUE, TOO_BIG -> ExitCode.USAGE;
            default -> ExitCode.UNEXPECTED;
        };
    }

    private static int ofFile(Throwable failure) {
        return chain(failure).anyMatch(AccessDeniedException.class::isInstance)
                ? ExitCode.NOT_PERMITTED
                : ExitCode.FILE;
    }

    private static boolean isAboutFiles(Throwable failure) {
        return chain(failure).anyMatch(IOException.class::isInstance);
    }

    private static Stream<Throwable> chain(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(LONGEST_CHAIN);
    }

    /** Completes the messages of the JDK's file exceptions, which are often only a path. */
    private static String sentence(Throwable failure) {
        return switch (failure) {
            case NoSuchFileException file -> file.getFile() + ": there is no such file";
            case AccessDeniedException file -> file.getFile() + ": permission denied";
            case FileAlreadyExistsException file -> file.getFile() + ": exists already";
            case FileSystemException file -> file.getMessage();
            case RuntimeException unexpected
            when exitCode(failure) == ExitCode.UNEXPECTED
                    && !(failure instanceof DocaException || failure instanceof ExchangeException) ->
                unexpected.toString();
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
