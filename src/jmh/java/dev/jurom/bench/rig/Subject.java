// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.measurement.JavaProgram;
import dev.jurom.bench.measurement.MeasureMain;
import dev.jurom.runtime.internal.SoftwareInstallation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Something that is measured, in a process of its own.
 *
 * @param name how tables call it
 * @param command the process
 * @param environment what it is given besides the rig's own
 * @param service the service that it is a host of, if it is
 * @param warmUp how long it runs before it counts
 * @param round how long a round of it is
 */
record Subject(
        String name,
        List<String> command,
        Map<String, String> environment,
        Optional<Service> service,
        Duration warmUp,
        Duration round) {

    /** The system property that names the folder of the programs in C. */
    private static final String PROGRAMS = "jurom.bench.programs";

    private static final Duration WARM_UP_OF_C = Duration.ofMillis(100);
    private static final Duration WARM_UP_OF_JAVA = Duration.ofMillis(2500);
    private static final Duration ROUND = Duration.ofMillis(20);

    /** A program of {@code src/jmh/c}, with the same libraries as those in Java. */
    static Subject inC(String name, String command) {
        var words = command.split(" ");
        words[0] = program(words[0]).toString();
        var libraries = SoftwareInstallation.current().libraries().toString();
        return new Subject(
                name, List.of(words), Map.of("LD_LIBRARY_PATH", libraries), Optional.empty(), WARM_UP_OF_C, ROUND);
    }

    /** Where a program of {@code src/jmh/c} is. */
    static Path program(String name) {
        return Path.of(System.getProperty(PROGRAMS)).resolve(name);
    }

    /** A measurement of {@link MeasureMain}. */
    static Subject inJava(String name, String arguments) {
        return new Subject(
                name,
                JavaProgram.command(MeasureMain.class.getName(), List.of(arguments.split(" "))),
                Map.of(),
                Optional.empty(),
                WARM_UP_OF_JAVA,
                ROUND);
    }

    /** The same with a variable in its environment. */
    Subject with(String variable, String value) {
        var more = new HashMap<>(environment);
        more.put(variable, value);
        return new Subject(name, command, more, service, warmUp, round);
    }

    /** The same program in Java with one more option for the JVM, and its name. */
    Subject withJvmOption(String option) {
        var more = new ArrayList<>(command);
        more.add(1, option);
        return new Subject(name + ", " + option, more, environment, service, warmUp, round);
    }

    /** The same with another warm-up. */
    Subject warmedUpFor(Duration time) {
        return new Subject(name, command, environment, service, time, round);
    }

    /**
     * The same in longer rounds. Where more processes run than there are cores, many slices of the
     * scheduler's go into a round.
     */
    Subject inRoundsOf(Duration time) {
        return new Subject(name, command, environment, service, warmUp, time);
    }

    /** The same as a host of a service. */
    Subject at(Service its) {
        return new Subject(name, command, environment, Optional.of(its), warmUp, round);
    }
}
