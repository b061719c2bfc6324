// SPDX-License-Identifier: Apache-2.0
/** A program that is a module. */
module org.example.modular {
    requires dev.jurom;
    requires dev.jurom.service;
    requires dev.jurom.worker;

    exports org.example to
            dev.jurom.worker;
}
