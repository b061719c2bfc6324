// SPDX-License-Identifier: Apache-2.0
/**
 * The command line of jurom: {@code urom} and {@code urom-daemon}.
 *
 * <p>The library calls native code: start the JVM with {@code --enable-native-access=dev.jurom}. It
 * finds the software DOCA if {@code dev.jurom.nativelibraries} is also on the module path.
 */
module dev.jurom.cli {
    requires dev.jurom;
    requires dev.jurom.service;
    requires dev.jurom.worker;
    requires info.picocli;
    requires jdk.httpserver;
    requires HdrHistogram;
    requires java.logging; // to silence the library
    requires jdk.net; // for the user at the other end of a Unix socket

    opens dev.jurom.cli to
            info.picocli;
    opens dev.jurom.cli.counters to
            info.picocli;
    opens dev.jurom.cli.doctor to
            info.picocli;
    opens dev.jurom.cli.model to
            info.picocli;
    opens dev.jurom.cli.ping to
            info.picocli;
    opens dev.jurom.cli.service to
            info.picocli;
    opens dev.jurom.cli.shell to
            info.picocli;
}
