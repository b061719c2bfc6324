// SPDX-License-Identifier: Apache-2.0
/**
 * The software DOCA for the architectures of this build: libraries, plugins and the worker program,
 * below {@code META-INF/native/linux-<machine>/}.
 *
 * <p>The name of the module contains {@code nativelibraries} instead of {@code native}, as in the
 * name of the artifact, because {@code native} is a keyword of Java. The module exports nothing:
 * {@code dev.jurom} finds it through {@link java.util.ServiceLoader} if it is on the class path or
 * the module path.
 *
 * @provides dev.jurom.runtime.SoftwareBundle the files of this module
 */
module dev.jurom.nativelibraries {
    requires transitive dev.jurom;

    provides dev.jurom.runtime.SoftwareBundle with
            dev.jurom.nativelibraries.SoftwareFiles;
}
