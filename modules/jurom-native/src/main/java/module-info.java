// SPDX-License-Identifier: Apache-2.0
/**
 * The software DOCA for the machines that jurom was built for: libraries, plugins and the worker
 * program, below {@code META-INF/native/linux-<machine>/}.
 *
 * <p>Its name has {@code nativelibraries} where the artifact has {@code native}, which is a keyword
 * of Java and so no part of a module's name. It exports nothing: {@code dev.jurom} finds it through
 * {@link java.util.ServiceLoader} where it is on the class path or the module path.
 *
 * @provides dev.jurom.runtime.SoftwareBundle the files of this module
 */
module dev.jurom.nativelibraries {
    requires transitive dev.jurom;

    provides dev.jurom.runtime.SoftwareBundle with
            dev.jurom.nativelibraries.SoftwareFiles;
}
