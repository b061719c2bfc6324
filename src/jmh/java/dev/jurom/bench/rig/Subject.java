// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.measurement.JavaProgram;
import dev.jurom.bench.measurement.MeasureMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Something that is measured, in a process of its own.
 *
 * @param name how tables call it
 * @param command the process
 * @param environment what it is given besides the rig's own
 * @param warmUp how long it runs before it counts
 */
record Subject(String name, List<String> command, Map<String, String> environment,
        Duration warmUp) {

    /** The system property that names the folder of the programs in C. */
    private static final String PROGRAMS = "jurom.bench.programs";

    private static final Duration WARM_UP_OF_C = Duration.ofMillis(100);
    private static final Duration WARM_UP_OF_JAVA = Duration.ofMillis(2500);

    /** A program of {@code src/jmh/c}. */
    static Subject inC(String name, String command) {
        var words = command.split(" ");
        words[0] = Path.of(System.getProperty(PROGRAMS)).resolve(words[0]).toString();
        return new Subject(name, List.of(words), Map.of(), WARM_UP_OF_C);
    }

    /** A measurement of {@link MeasureMain}. */
    static Subject inJava(String name, String arguments) {
        return new Subject(name,
                JavaProgram.command(MeasureMain.class.getName(), List.of(arguments.split(" "))),
                Map.of(), WARM_UP_OF_JAVA);
    }

    /** The same with a variable in its environment. */
    Subject with(String variable, String value) {
        var more = new HashMap<>(environment);
        more.put(variable, value);
        return new Subject(name, command, more, warmUp);
    }

    /** The same program in Java with one more option for the JVM, and its name. */
    Subject withJvmOption(String option) {
        var more = new ArrayList<>(command);
        more.add(1, option);
        return new Subject(name + ", " + option, more, environment, warmUp);
    }

    /** The same with another warm-up. */
    Subject warmedUpFor(Duration time) {
        return new Subject(name, command, environment, time);
    }

    /** The same as a host of a service. */
    Subject at(ServiceProcess service) {
        return new Subject(name, command, service.hostEnvironment(environment), warmUp);
    }
}
