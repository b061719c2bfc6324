// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.abi.Libraries;
import dev.jurom.abi.pmix.pmix_h;
import dev.jurom.core.DocaError;
import dev.jurom.runtime.internal.NativeAccess;
import dev.jurom.runtime.internal.VendorSearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Loads the PMIx library at its first use, since most programs do not need it. */
final class PmixLibrary {

    private static final String NAME = "libpmix.so.2";

    private static @Nullable Path loaded; // guarded by the class

    private PmixLibrary() {}

    /**
     * Makes the functions of PMIx callable.
     *
     * @throws ExchangeException with {@code NOT_FOUND} if it is not installed,
     *         {@code INITIALIZATION} if it cannot be loaded
     */
    static synchronized void load() {
        if (loaded != null) {
            return;
        }
        NativeAccess.require();
        var file = find(VendorSearch.directories());
        try {
            Libraries.load(file);
            loaded = file;
        } catch (UnsatisfiedLinkError e) {
            throw new ExchangeException(DocaError.INITIALIZATION, file + " cannot be loaded: " + e.getMessage(), e);
        }
    }

    static Path find(Set<Path> directories) {
        return directories.stream()
                .map(directory -> directory.resolve(NAME))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new ExchangeException(
                        DocaError.NOT_FOUND,
                        NAME + " was not found in " + VendorSearch.PROPERTY
                                + " or on the search path of the loader: install PMIx (on"
                                + " Debian: apt-get install libpmix2), or use another exchange"));
    }

    /** Checks that a PMIx function returned success. */
    static void check(int status, String function) {
        if (status != pmix_h.PMIX_SUCCESS()) {
            throw new ExchangeException(DocaError.IO_FAILED, function + " failed: " + text(status));
        }
    }

    /** Returns the PMIx name of a status. */
    static String text(int status) {
        return pmix_h.PMIx_Error_string(status).getString(0) + " (" + status + ")";
    }
}
