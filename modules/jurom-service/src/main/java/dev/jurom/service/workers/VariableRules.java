// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.runtime.DaemonException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The environment variables that a remote host may set for its workers. This class is immutable. */
final class VariableRules {

    /** The language, the categories of locale(7), and the time zone. */
    private static final Set<String> HARMLESS = Set.of(
            "LANG",
            "LC_ALL",
            "LC_ADDRESS",
            "LC_COLLATE",
            "LC_CTYPE",
            "LC_IDENTIFICATION",
            "LC_MEASUREMENT",
            "LC_MESSAGES",
            "LC_MONETARY",
            "LC_NAME",
            "LC_NUMERIC",
            "LC_PAPER",
            "LC_TELEPHONE",
            "LC_TIME",
            "TZ");

    private static final int MAX_HARMLESS = 255; // maximum number of characters of a value

    /**
     * Variables that influence loaders, allocators, interpreters or libraries and can make them run code: the
     * lists of glibc and sudo, and others. A star matches the rest of a name.
     */
    private static final List<String> DANGEROUS = List.of(
            "LD_*",
            "GLIBC_TUNABLES",
            "GCONV_PATH",
            "LOCPATH",
            "NLSPATH",
            "MALLOC_*",
            "HOSTALIASES",
            "LOCALDOMAIN",
            "RES_OPTIONS",
            "RESOLV_HOST_CONF",
            "NIS_PATH",
            "GETCONF_DIR",
            "TMPDIR",
            "TZDIR",
            "IFS",
            "CDPATH",
            "ENV",
            "BASH_ENV",
            "BASH_FUNC_*",
            "PS4",
            "SHELLOPTS",
            "PERL*",
            "PYTHON*",
            "RUBY*",
            "KRB5_*",
            "CLASSPATH",
            "JAVA_*",
            "_JAVA_*",
            "JDK_*",
            "JUROM_*",
            "XDG_*",
            "NODE_*",
            "OPENSSL_*",
            "SSL_CERT_*",
            "CTLOG_FILE",
            "SSLKEYLOGFILE",
            "UCX_*",
            "*SAN_OPTIONS",
            "OMP_TOOL_LIBRARIES",
            "CUDA_INJECTION*");

    /** Variables that name programs, or a folder with the configuration of programs. */
    private static final Set<String> OF_ACCOUNT = Set.of("HOME", "LOGNAME", "PATH", "SHELL", "USER");

    private final Set<String> allowed;

    /** Allows the harmless variables and the given ones. */
    VariableRules(Set<String> allowed) {
        this.allowed = allowed;
        for (var name : allowed) {
            if (isDangerous(name)) {
                throw notAllowed(name, "with it, a host could run any program");
            }
            if (OF_ACCOUNT.contains(name)) {
                throw notAllowed(name, "the service sets it for the account of the worker");
            }
        }
    }

    private static DaemonException notAllowed(String name, String reason) {
        return DaemonException.ofConfiguration(
                "The environment variable " + name + " cannot be allowed: " + reason, null);
    }

    /** Returns the reason why a variable is not allowed, or null if it is allowed. */
    @Nullable
    String violation(String name, String value) {
        if (isDangerous(name)) {
            return "it could make the worker run any program";
        }
        if (OF_ACCOUNT.contains(name)) {
            return "the service sets it for the account of the worker";
        }
        if (HARMLESS.contains(name)) {
            return value.length() > MAX_HARMLESS || value.contains("/") || value.contains("%")
                    ? "its value must have neither \"/\" nor \"%\", and at most " + MAX_HARMLESS + " characters"
                    : null;
        }
        return allowed.contains(name)
                ? null
                : "the service allows only LANG, LC_*, TZ and the variables of its option --allow-env";
    }

    private static boolean isDangerous(String name) {
        return DANGEROUS.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String pattern, String name) {
        if (pattern.endsWith("*")) {
            return name.startsWith(pattern.substring(0, pattern.length() - 1));
        }
        return pattern.startsWith("*") ? name.endsWith(pattern.substring(1)) : name.equals(pattern);
    }
}
