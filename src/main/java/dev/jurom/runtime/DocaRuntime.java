// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.runtime.internal.LibraryLoader;
import dev.jurom.runtime.internal.NativeAccess;
import dev.jurom.runtime.internal.NativeLog;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.runtime.internal.VendorSearch;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The native libraries that this process uses: their kind and directory, and why the other kind is
 * not used.
 *
 * <p>{@link #current()} chooses once for the life of the process, according to the system property
 * {@code jurom.runtime}, and loads the libraries. If the library of the vendor is installed but
 * cannot be loaded, that is an error; there is no silent fallback.
 *
 * <p>Several class loaders of a process can load this library. They share the native libraries,
 * which stay loaded until the process exits, and the environment of the process. A class loader can
 * be collected once all objects of this library that it opened are closed; the JVM may collect it
 * only when it clears soft references. A class loader that redirects the log of the native
 * libraries ({@code jurom.log.level}) is never collected, because the thread
 * {@code jurom-native-log} refers to it: to redeploy such an application, load this library with a
 * class loader that is not replaced.
 *
 * <p>This class is immutable and thread-safe.
 */
public final class DocaRuntime {

    private static final String PROPERTY = "jurom.runtime";
    private static final long LONGEST_VERSION = 256; // length in bytes of a static string in C

    private static @Nullable DocaRuntime current;

    private final RuntimeKind kind;
    private final Path directory;
    private final String passedOver;

    private DocaRuntime(RuntimeKind kind, Path directory, String passedOver) {
        this.kind = kind;
        this.directory = directory;
        this.passedOver = passedOver;
    }

    /**
     * Returns the runtime of this process. The first call chooses and loads it: it reads and may
     * write files.
     *
     * @return the same object at each call
     * @throws IllegalCallerException if the JDK denies native access; the message has the required
     *         option
     * @throws IllegalArgumentException if {@code jurom.runtime} or {@code jurom.log.level} has an
     *         unknown value
     * @throws LibraryLoadException if a library is missing or cannot be loaded; a later call tries
     *         again
     */
    public static synchronized DocaRuntime current() {
        if (current == null) {
            var logLevel = NativeLog.wanted();
            NativeAccess.require();
            current = choose(System.getProperty(PROPERTY, "auto"));
            logAt(logLevel);
        }
        return current;
    }

    private static void logAt(LogLevel level) {
        var status = NativeLog.setLevel(level);
        if (status != 0) {
            System.getLogger(NativeLog.NAME)
                    .log(System.Logger.Level.WARNING, "The native libraries cannot log to Java: status " + status);
        }
    }

    private static DocaRuntime choose(String wanted) {
        return switch (wanted) {
            case "software" -> software("not searched: " + PROPERTY + " is \"software\"");
            case "vendor" ->
                vendor(
                        VendorSearch.any()
                                .orElseThrow(() -> new LibraryLoadException(
                                        PROPERTY + " is \"vendor\" and there is no " + VendorSearch.NAME + " in "
                                                + VendorSearch.summary() + ": install DOCA, or add its directory to "
                                                + VendorSearch.PROPERTY,
                                        null)),
                        "not considered: " + PROPERTY + " is \"vendor\"");
            case "auto" ->
                VendorSearch.genuine()
                        .map(found -> vendor(found, "not needed: the vendor's library is installed"))
                        .orElseGet(() ->
                                software("not installed: no " + VendorSearch.NAME + " in " + VendorSearch.summary()));
            default ->
                throw new IllegalArgumentException("The system property " + PROPERTY + " is \"" + wanted
                        + "\": it must be auto, vendor or software");
        };
    }

    private static DocaRuntime vendor(Path directory, String softwarePassedOver) {
        Environment.useDecimalPoint();
        var own = SoftwareInstallation.current().libraries();
        Environment.loadUcx(() -> LibraryLoader.loadVendor(directory, own));
        return new DocaRuntime(RuntimeKind.VENDOR, directory, "The software DOCA was " + softwarePassedOver + ".");
    }

    private static DocaRuntime software(String vendorPassedOver) {
        Environment.useDecimalPoint();
        var libraries = SoftwareInstallation.current().libraries();
        LibraryLoader.loadSoftware(libraries);
        return new DocaRuntime(RuntimeKind.SOFTWARE, libraries, "The vendor's library was " + vendorPassedOver + ".");
    }

    /**
     * Returns the kind of the libraries.
     *
     * @return {@link RuntimeKind#VENDOR} or {@link RuntimeKind#SOFTWARE}
     */
    public RuntimeKind kind() {
        return kind;
    }

    /**
     * Returns the directory from which the libraries were loaded.
     *
     * @return an absolute path
     */
    public Path directory() {
        return directory;
    }

    /**
     * Returns why the other kind of libraries is not used.
     *
     * @return one sentence
     */
    public String passedOver() {
        return passedOver;
    }

    /**
     * Returns the version of the loaded libraries. Stands for {@code doca_version_runtime}.
     *
     * @return for example {@code 3.0.0058}
     */
    public String version() {
        return doca_h.doca_version_runtime().reinterpret(LONGEST_VERSION).getString(0);
    }

    /**
     * Returns the version of the interface that jurom was compiled for. In place of
     * {@code doca_version}.
     *
     * @return for example {@code 3.0.0058}
     */
    public static String interfaceVersion() {
        return doca_h.DOCA_VERSION_STRING().getString(0);
    }

    /**
     * Returns the kind and the directory of the libraries, for a log message.
     *
     * @return for example {@code software (/home/me/.cache/jurom/4f1c.../lib)}
     */
    public String summary() {
        return kind.name().toLowerCase(Locale.ROOT) + " (" + directory + ")";
    }

    private List<Object> values() {
        return List.of(kind, directory, passedOver);
    }

    @Override
    @SuppressWarnings("exports") // callers do not need the annotation
    public boolean equals(@Nullable Object other) {
        return other instanceof DocaRuntime that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DocaRuntime[kind=" + kind + ", directory=" + directory + ", passedOver=" + passedOver + "]";
    }
}
