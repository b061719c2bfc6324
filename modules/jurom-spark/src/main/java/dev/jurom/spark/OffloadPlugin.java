// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;

/**
 * A plugin for {@code spark.plugins} that checks the settings {@code spark.jurom.*} and connects to the service when an
 * application starts, registers the counters of the codec as metrics of Spark, and logs them when the application ends.
 * {@link OffloadCompressionCodec} works without it: a wrong setting then fails the first job, because Spark creates its
 * codec only then.
 */
public final class OffloadPlugin implements SparkPlugin {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.spark");
    private static final String CODEC = "spark.io.compression.codec";

    /** Creates a plugin. */
    public OffloadPlugin() {}

    /**
     * Returns the part for the driver, which fails the start of the application with an
     * {@link IllegalArgumentException} if a setting is unknown or wrong. At the end of the application, it logs a line
     * for itself and for each executor.
     *
     * @return the part for the driver
     */
    @Override
    public DriverPlugin driverPlugin() {
        return new Driver();
    }

    /**
     * Returns the part for executors. It fails the start of an executor with an {@link IllegalArgumentException} if a
     * setting is wrong there, and with an {@link IllegalStateException} in the mode OFFLOAD if the environment of the
     * executor names no service; the log of the driver contains the message.
     *
     * @return the part for executors
     */
    @Override
    public ExecutorPlugin executorPlugin() {
        return new Executor();
    }

    private static final class Driver implements DriverPlugin {

        private final Map<String, ProcessReport> executors = new ConcurrentSkipListMap<>();

        @Override
        public Map<String, String> init(SparkContext spark, PluginContext context) {
            start(context.conf());
            return Map.of();
        }

        @Override
        public void registerMetrics(String application, PluginContext context) {
            ProcessMetrics.register(context.metricRegistry());
        }

        @Override
        public @Nullable Object receive(Object message) {
            var report = (ProcessReport) message;
            executors.put(report.process(), report);
            return null;
        }

        @Override
        public void shutdown() {
            ProcessReport.of("the driver").log();
            executors.values().forEach(ProcessReport::log);
        }
    }

    /** The part of an executor. It has no effect in a driver that executes tasks itself. */
    private static final class Executor implements ExecutorPlugin {

        private @Nullable PluginContext context; // null: in the driver
        private @Nullable ProcessReport sent; // guarded by this

        @Override
        public void init(PluginContext ofPlugin, Map<String, String> configuration) {
            if (CodecSettings.isExecutor(ofPlugin.conf())) {
                start(ofPlugin.conf());
                ProcessMetrics.register(ofPlugin.metricRegistry());
                context = ofPlugin;
            }
        }

        @Override
        public void onTaskSucceeded() {
            report();
        }

        @Override
        public void onTaskFailed(TaskFailedReason reason) {
            report();
        }

        /** Sends a report that differs from the last one. */
        private synchronized void report() {
            if (context == null) {
                return;
            }
            var report = ProcessReport.of("executor " + context.executorID());
            if (!report.equals(sent)) {
                try {
                    context.send(report);
                    sent = report;
                } catch (IOException | RuntimeException e) {
                    LOGGER.log(Level.DEBUG, "The counters were not sent to the driver", e);
                }
            }
        }
    }

    private static void start(SparkConf conf) {
        var settings = CodecSettings.of(conf);
        var codec = conf.get(CODEC, "not set");
        if (codec.equals(OffloadCompressionCodec.class.getName())) {
            SharedCompressions.start(settings);
        } else {
            LOGGER.log(
                    Level.WARNING,
                    CODEC + " is " + codec + ", so that Spark does not use the codec of jurom: set it to "
                            + OffloadCompressionCodec.class.getName());
        }
    }
}
