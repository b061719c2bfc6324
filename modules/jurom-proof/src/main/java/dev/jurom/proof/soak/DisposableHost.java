// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.process.ChildProgram;
import dev.jurom.proof.process.JavaProgram;
import dev.jurom.urom.ServiceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A host that is killed and restarted repeatedly. Not thread-safe. */
final class DisposableHost implements AutoCloseable {

    private static final List<String> JVM = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** The id of the worker that these hosts share. */
    static final long WORKER = 2;

    private final Path serviceFile;
    private final Map<String, String> environment;
    private ChildProgram program;

    /** Starts a host with additional environment variables. */
    DisposableHost(Path serviceFile, Map<String, String> environment) throws IOException {
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

    /** Kills the process and starts another one. */
    void restart() throws IOException {
        program.kill();
        program.close();
        program = start(serviceFile, WORKER, JVM, environment);
    }

    /** Returns the current process. */
    ChildProgram program() {
        return program;
    }

    @Override
    public void close() {
        program.close();
    }
}
