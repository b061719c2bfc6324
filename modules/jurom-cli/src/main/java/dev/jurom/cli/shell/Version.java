// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The release of jurom and what it runs on, for {@code --version}. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"urom " + release(), "JDK " + Runtime.version()};
    }

    /** The release: of the module, or on the class path of the jar. */
    public static String release() {
        var descriptor = Optional.ofNullable(Version.class.getModule().getDescriptor());
        return descriptor
                .flatMap(it -> it.version().map(Object::toString))
                .or(() -> Optional.ofNullable(Version.class.getPackage().getImplementationVersion()))
                .orElse("unknown");
    }
}
