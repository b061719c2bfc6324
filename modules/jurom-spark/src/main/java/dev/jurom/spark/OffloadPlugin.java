// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;

/**
 * A plugin for {@code spark.plugins} that checks the settings {@code spark.jurom.*} when an application starts. Without
 * it, a wrong setting fails the first job, because Spark creates its codec only then.
 */
public final class OffloadPlugin implements SparkPlugin {

    /** Creates a plugin. */
    public OffloadPlugin() {}

    /**
     * Returns the part for the driver, which fails the start of the application with an
     * {@link IllegalArgumentException} if a setting is unknown or wrong.
     *
     * @return the part for the driver
     */
    @Override
    public DriverPlugin driverPlugin() {
        return new DriverPlugin() {
            @Override
            public Map<String, String> init(SparkContext spark, PluginContext context) {
                CodecSettings.of(context.conf());
                return Map.of();
            }
        };
    }

    /**
     * Returns no part for executors, whose settings are those of the driver.
     *
     * @return null
     */
    @Override
    public @Nullable ExecutorPlugin executorPlugin() {
        return null;
    }
}
