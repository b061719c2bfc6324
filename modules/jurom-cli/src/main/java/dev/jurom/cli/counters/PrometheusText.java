// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.counters.CounterKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** Writes the counters of services in the Prometheus text format, version 0.0.4. */
final class PrometheusText {

    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double[] QUANTILES = {0.5, 0.9, 0.99};
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String FILES_LIMIT = "Max open files"; // line of /proc/PID/limits

    private final List<CountedService> services;
    private final Set<String> series = new HashSet<>();
    private final StringBuilder text = new StringBuilder();

    private final Map<Integer, Integer> unreadable; // numbers of services by user id
    private final Optional<String> missing; // a service that was named and does not run

    private PrometheusText(List<CountedService> services, Map<Integer, Integer> unreadable, Optional<String> missing) {
        this.services = services;
        this.unreadable = unreadable;
        this.missing = missing;
    }

    /**
     * Returns the metrics as text. Waits for an answer of each service with a configured address, for at most 5 s each.
     *
     * @param services services that run
     * @param unreadable the number of services that cannot be read, by user id
     * @param missing the name of a service that does not run
     */
    static String of(List<CountedService> services, Map<Integer, Integer> unreadable, Optional<String> missing) {
        return new PrometheusText(services, unreadable, missing).write();
    }

    private String write() {
        head("jurom_services", "gauge", "Services on this machine that this user may inspect");
        text.append("jurom_services ").append(services.size()).append('\n');
        head("jurom_service_up", "gauge", "Whether a service with a configured address runs and answers: 1 or 0");
        services.stream()
                .filter(service -> service.status().configuredAddress().isPresent())
                .forEach(service -> line(
                        "jurom_service_up",
                        labels(service, Map.of()),
                        service.status().answers() ? "1" : "0"));
        missing.ifPresent(name -> line("jurom_service_up", Map.of("service", name), "0"));
        head("jurom_services_unreadable", "gauge", "Services of a user whose status could not be read, now");
        unreadable.forEach((user, number) -> line(
                "jurom_services_unreadable",
                Map.of("user_id", Integer.toUnsignedString(user)),
                Integer.toString(number)));
        head("jurom_build_info", "gauge", "Release, Java runtime and process of a service, always 1");
        services.forEach(service -> line(
                "jurom_build_info",
                labels(
                        service,
                        Map.of(
                                "java",
                                service.status().javaVersion(),
                                "process",
                                Long.toString(service.status().process()),
                                "version",
                                service.status().release())),
                "1"));
        head("jurom_unreadable", "gauge", "Counter files of a service that could not be read, now");
        services.forEach(service -> line(
                "jurom_unreadable",
                labels(service, Map.of()),
                Integer.toString(service.counters().unreadable().size())));
        writeDescriptors();
        for (var counter : Counter.values()) {
            write(counter);
        }
        writeInFlight();
        writeLatency(CounterKind.WORKER, "Time from a command's arrival to its answer, of timed commands");
        writeLatency(CounterKind.HOST, "Time from a command's submission to its completion, of timed commands");
        return text.toString();
    }

    private void head(String name, String type, String help) {
        text.append("# HELP ")
                .append(name)
                .append(' ')
                .append(help)
                .append('\n')
                .append("# TYPE ")
                .append(name)
                .append(' ')
                .append(type)
                .append('\n');
    }

    private void write(Counter counter) {
        var name = "jurom_" + counter.kind() + "_" + counter.shortName() + (counter.isGauge() ? "" : "_total");
        head(name, counter.isGauge() ? "gauge" : "counter", counter.text());
        forEach(counter.kind(), (labels, file) -> line(name, labels, Long.toUnsignedString(file.value(counter))));
    }

    private void writeInFlight() {
        var name = "jurom_host_in_flight";
        head(name, "gauge", "Commands that have not completed, now");
        forEach(CounterKind.HOST, (labels, file) -> line(name, labels, Long.toString(file.inFlight())));
    }

    private void writeLatency(CounterKind kind, String help) {
        var name = "jurom_" + kind + "_latency_seconds";
        head(name, "summary", help);
        forEach(kind, (labels, file) -> {
            var latency = file.latency();
            for (var quantile : QUANTILES) {
                var all = new TreeMap<>(labels);
                all.put("quantile", Double.toString(quantile));
                line(
                        name,
                        all,
                        latency.count() == 0
                                ? "NaN"
                                : String.format(
                                        Locale.ROOT, "%.9f", latency.percentile(100 * quantile) / NANOS_PER_SECOND));
            }
            line(name + "_count", labels, Long.toString(latency.count()));
        });
    }

    /** Receives a counter file and the labels that identify it. */
    private interface Sink {
        void take(Map<String, String> labels, CounterFile file);
    }

    private void forEach(CounterKind kind, Sink sink) {
        for (var service : services) {
            for (var file : service.of(kind)) {
                sink.take(labels(service, file), file);
            }
        }
    }

    /** Descriptors are omitted for services whose process this user may not inspect. */
    private void writeDescriptors() {
        write("jurom_daemon_descriptors", "Descriptors that the service has open, now", PrometheusText::descriptors);
        write("jurom_daemon_descriptors_limit", "Maximum number of open descriptors", PrometheusText::descriptorsLimit);
    }

    private void write(String name, String help, LongFunction<OptionalLong> valueOfProcess) {
        head(name, "gauge", help);
        services.forEach(service -> valueOfProcess
                .apply(service.status().process())
                .ifPresent(value -> line(name, labels(service, Map.of()), Long.toString(value))));
    }

    private static OptionalLong descriptors(long process) {
        try (var open = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
            return OptionalLong.of(open.count());
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong descriptorsLimit(long process) {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(process), "limits"))) {
            return lines.filter(line -> line.startsWith(FILES_LIMIT))
                    .map(line -> line.substring(FILES_LIMIT.length()).strip().split(" +")[0])
                    .filter(limit -> limit.matches("[0-9]+"))
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty();
        }
    }

    private static Map<String, String> labels(CountedService service, Map<String, String> more) {
        var labels = new TreeMap<>(more);
        labels.put("service", service.status().name());
        labels.put("user", userOf(service.status().process()));
        return labels;
    }

    /** Returns the name of the user of a process; empty if the process has ended. */
    private static String userOf(long process) {
        return ProcessHandle.of(process).flatMap(handle -> handle.info().user()).orElse("");
    }

    private static Map<String, String> labels(CountedService service, CounterFile file) {
        var labels = new TreeMap<String, String>();
        labels.put("service", service.status().name());
        labels.put("user", userOf(file.process()));
        switch (file.kind()) {
            case DAEMON -> {}
            case WORKER -> {
                labels.put("worker", Long.toUnsignedString(file.number()));
                labels.put("process", Long.toString(file.process()));
                labels.put("plugins", file.label());
            }
            case HOST -> {
                labels.put("process", Long.toString(file.process()));
                labels.put("program", file.label());
                labels.put("session", file.path().getFileName().toString().replaceAll(".*-|[.].*", ""));
            }
        }
        return labels;
    }

    /** Appends a line. Prometheus rejects a text with the same series twice, which a user could cause. */
    private void line(String name, Map<String, String> labels, String value) {
        var one = name
                + labels.entrySet().stream()
                        .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + '"')
                        .collect(Collectors.joining(",", "{", "} "));
        if (series.add(one)) {
            text.append(one).append(value).append('\n');
        }
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
