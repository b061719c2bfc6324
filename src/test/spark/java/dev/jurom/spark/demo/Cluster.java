// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/** A standalone cluster of Spark on 127.0.0.1: a master, and two workers with a core for an executor each. */
final class Cluster implements AutoCloseable {

    static final int EXECUTORS = 2;

    private static final String HOST = "127.0.0.1";

    private final Path folder;
    private final Path home;
    private final List<String> prefix;
    private final List<Child> children = new ArrayList<>();
    private final String url;

    /** Starts the cluster with the jars of a Spark home. A prefix of the commands pins them to cores. */
    Cluster(Path folder, Path home, List<String> prefix) throws IOException, InterruptedException {
        this.folder = folder;
        this.home = home;
        this.prefix = prefix;
        try {
            url = start("master", List.of("org.apache.spark.deploy.master.Master", "--port", "0"))
                    .await(Pattern.compile("Starting Spark master at (spark://\\S+)"));
            for (var i = 1; i <= EXECUTORS; i++) {
                var work = folder.resolve("work-" + i).toString();
                start(
                                "worker-" + i,
                                List.of(
                                        "org.apache.spark.deploy.worker.Worker",
                                        "--cores",
                                        "1",
                                        "--memory",
                                        "1g",
                                        "--work-dir",
                                        work,
                                        url))
                        .await(Pattern.compile("(Successfully registered with master)"));
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private Child start(String name, List<String> mainAndArguments) throws IOException {
        var command = new ArrayList<>(prefix);
        command.addAll(List.of(java(), "-Xmx256m", "-Dspark.master.rest.enabled=false"));
        command.addAll(Stream.of(JavaModuleOptions.defaultModuleOptionArray())
                .filter(option -> !option.isBlank())
                .toList());
        command.addAll(List.of("-cp", home.resolve("jars") + "/*"));
        command.addAll(mainAndArguments);
        command.addAll(List.of("--host", HOST, "--webui-port", "0"));
        var child = Child.start(
                folder,
                name,
                Map.of(
                        "SPARK_HOME", home.toString(),
                        "SPARK_SCALA_VERSION", "2.13",
                        "SPARK_LOCAL_IP", HOST,
                        "SPARK_LOCAL_DIRS", folder.resolve("local").toString(),
                        "JAVA_HOME", System.getProperty("java.home")),
                command);
        children.add(child);
        return child;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the URL of the master. */
    String url() {
        return url;
    }

    /** Returns the CPU time of the running executors. */
    Duration cpuOfExecutors() {
        return children.stream().map(Child::cpuOfChildren).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        children.reversed().forEach(Child::close);
    }
}
