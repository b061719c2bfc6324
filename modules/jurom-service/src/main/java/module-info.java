// SPDX-License-Identifier: Apache-2.0
/**
 * The UROM service of the software DOCA: the daemon, by itself or embedded in an application. A program that
 * only connects to services that others run can leave this module out.
 *
 * @provides dev.jurom.runtime.EmbeddedServiceProvider private services for {@link dev.jurom.Urom#open()}
 */
@SuppressWarnings("module") // the command line is built after this
module dev.jurom.service {
    requires transitive dev.jurom;
    requires transitive dev.jurom.worker; // plugins that are given by their classes
    requires jdk.net; // keep-alive options of TCP
    requires jdk.unsupported; // SIGHUP
    requires static org.jspecify; // nullness annotations; not transitive, because callers do not need them

    exports dev.jurom.service;
    exports dev.jurom.service.counters to
            dev.jurom.cli;
    exports dev.jurom.service.settings;
    exports dev.jurom.service.status;

    provides dev.jurom.runtime.EmbeddedServiceProvider with
            dev.jurom.service.Provider;
}
