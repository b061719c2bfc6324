// SPDX-License-Identifier: Apache-2.0
/**
 * Worker plugins in Java: the interface that a plugin implements. A worker runs the plugin in a JVM
 * inside its process. Programs that only send commands do not need this module.
 */
@SuppressWarnings("module") // the service, the command line and the tests are built later
module dev.jurom.worker {
    requires transitive dev.jurom;
    requires static org.jspecify; // nullness annotations, which other modules do not need

    exports dev.jurom.worker;
    exports dev.jurom.worker.internal to
            dev.jurom.cli,
            dev.jurom.service,
            dev.jurom.testing;
}
