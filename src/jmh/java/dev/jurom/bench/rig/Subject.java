// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.measurement.JavaProgram;
import dev.jurom.bench.measurement.MeasureMain;
import dev.jurom.runtime.DocaRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A subject of measurement in a separate process.
 *
 * @param name the name in tables
 * @param command the command line
 * @param environment additional environment variables
 * @param service the service that it uses, if any
 * @param warmUp the duration of the warm-up
 * @param round the duration of a round
 */
record Subject(
        String name,
        List<String> command,
        Map<String, String> environment,
        Optional<Service> service,
        Duration warmUp,
        Duration round) {

    /** The system property with the folder of the C programs. */
    private static final String PROGRAMS = "jurom.bench.programs";

    private static final Duration WARM_UP_OF_C = Duration.ofMillis(100);
    private static final Duration WARM_UP_OF_JAVA = Duration.ofMillis(2500);
    private static final Duration ROUND = Duration.ofMillis(20);

    /** Returns a subject in C from {@code src/jmh/c} that uses the same libraries as those in Java. */
    static Subject inC(String name, String command) {
        var words = command.split(" ");
        words[0] = program(words[0]).toString();
        var libraries = DocaRuntime.current().directory().toString();
        return new Subject(
                name, List.of(words), Map.of("LD_LIBRARY_PATH", libraries), Optional.empty(), WARM_UP_OF_C, ROUND);
    }

    /** Returns the path of a program of {@code src/jmh/c}. */
    static Path program(String name) {
        return Path.of(System.getProperty(PROGRAMS)).resolve(name);
    }

    /** Returns a subject in Java, a measurement of {@link MeasureMain}. */
    static Subject inJava(String name, String arguments) {
        return new Subject(
                name,
                JavaProgram.command(MeasureMain.class.getName(), List.of(arguments.split(" "))),
                Map.of(),
                Optional.empty(),
                WARM_UP_OF_JAVA,
                ROUND);
    }

    /** Returns this subject with an environment variable. */
    Subject with(String variable, String value) {
        var more = new HashMap<>(environment);
        more.put(variable, value);
        return new Subject(name, command, more, service, warmUp, round);
    }

    /** Returns this Java subject with a JVM option, which is added to the name. */
    Subject withJvmOption(String option) {
        var more = new ArrayList<>(command);
        more.add(1, option);
        return new Subject(name + ", " + option, more, environment, service, warmUp, round);
    }

    /** Returns this subject with another warm-up. */
    Subject warmedUpFor(Duration time) {
        return new Subject(name, command, environment, service, time, round);
    }

    /**
     * Returns this subject with longer rounds, which span many time slices of the scheduler if there are more
     * processes than cores.
     */
    Subject inRoundsOf(Duration time) {
        return new Subject(name, command, environment, service, warmUp, time);
    }

    /** Returns this subject as a host of a service. */
    Subject at(Service its) {
        return new Subject(name, command, environment, Optional.of(its), warmUp, round);
    }

    /** Returns the same subject of another build, as a host of a service of that build. */
    Subject builtIn(Build other) {
        return new Subject(
                name,
                other.translate(command),
                other.translate(environment),
                service.map(its -> its.builtIn(other)),
                warmUp,
                round);
    }
}
