// SPDX-License-Identifier: Apache-2.0
package dev.jurom.spark;

import java.io.ByteArrayOutputStream;
import org.apache.spark.SparkConf;

/** An executor that compresses with the settings in its arguments: {@code NAME=VALUE}. */
final class CodecProgram {

    static final int TASKS = 3;

    private static final int BLOCK = 256 << 10;

    private CodecProgram() {}

    public static void main(String[] arguments) throws Exception {
        var conf = new SparkConf(false).set("spark.executor.id", "1");
        for (var argument : arguments) {
            var parts = argument.split("=", 2);
            conf.set(parts[0], parts[1]);
        }
        for (var task = 0; task < TASKS; task++) {
            try (var out = new OffloadCompressionCodec(conf).compressedOutputStream(new ByteArrayOutputStream())) {
                out.write(new byte[BLOCK]);
                System.out.println("task " + task + " has finished");
            } catch (Exception e) {
                System.out.println("task " + task + " has failed: " + e);
            }
        }
    }
}
