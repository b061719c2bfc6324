// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.process.ChildProgram;
import dev.jurom.proof.process.JavaProgram;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A host that is killed now and then, and started again. Of one thread. */
final class MortalHost implements AutoCloseable {

    private static final List<String> JVM = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** The id of the worker that all of them share. */
    static final long WORKER = 2;

    private final Path serviceFile;
    private final Map<String, String> environment;
    private ChildProgram program;

    /** Starts a host of a service, with some variables. */
    MortalHost(Path serviceFile, Map<String, String> environment) throws IOException {
        this.serviceFile = serviceFile;
        this.environment = environment;
        program = start(serviceFile, WORKER, JVM, environment);
    }

    /** Starts a host. */
    static ChildProgram start(Path serviceFile, long worker, List<String> jvm, Map<String, String> environment)
            throws IOException {
        var builder = new ProcessBuilder(JavaProgram.command(HostMain.class, jvm, List.of(Long.toString(worker))));
        builder.environment().putAll(environment);
        builder.environment().put(ServiceFile.VARIABLE, serviceFile.toString());
        return ChildProgram.start(builder);
    }

    /** Kills it; another takes its place. */
    void killAndStartAgain() throws IOException {
        program.kill();
        program.close();
        program = start(serviceFile, WORKER, JVM, environment);
    }

    /** The one that lives. */
    ChildProgram program() {
        return program;
    }

    @Override
    public void close() {
        program.close();
    }
}
