// SPDX-License-Identifier: Apache-2.0
/**
 * Offloading from Java to DPUs through DOCA UROM, or to the software DOCA where there is none.
 *
 * <p>Native code is called through the foreign function interface of the JDK: start the JVM with
 * {@code --enable-native-access=dev.jurom}.
 */
@SuppressWarnings("module") // the command line is built after this
module dev.jurom {
    requires jdk.jfr;
    requires jdk.net; // keep-alive options of TCP
    requires jdk.unsupported; // SIGHUP
    requires static org.jspecify; // what may be null; not transitive: nobody else needs it

    exports dev.jurom;
    exports dev.jurom.core;
    exports dev.jurom.counters to dev.jurom.cli;
    exports dev.jurom.plugin;
    exports dev.jurom.plugin.graph;
    exports dev.jurom.plugin.rdmo;
    exports dev.jurom.plugin.sandbox;
    exports dev.jurom.runtime;
    exports dev.jurom.runtime.internal to dev.jurom.cli;
    exports dev.jurom.service;
    exports dev.jurom.urom;
    exports dev.jurom.urom.exchange;

    uses dev.jurom.runtime.SoftwareBundle;
}
