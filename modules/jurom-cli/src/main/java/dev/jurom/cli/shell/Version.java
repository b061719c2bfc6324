// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Provides the name of the program, the release of jurom and the version of the JDK for {@code --version}. */
public final class Version implements IVersionProvider {

    @Spec
    private CommandSpec command;

    Version() {} // created by picocli

    @Override
    public String[] getVersion() {
        return new String[] {command.root().name() + " " + release(), "JDK " + Runtime.version()};
    }

    /**
     * Determines the release from the module, or from the jar on the class path.
     *
     * @return the release; {@code unknown} if neither states it
     */
    public static String release() {
        var descriptor = Optional.ofNullable(Version.class.getModule().getDescriptor());
        return descriptor
                .flatMap(it -> it.version().map(Object::toString))
                .or(() -> Optional.ofNullable(Version.class.getPackage().getImplementationVersion()))
                .orElse("unknown");
    }
}
