// SPDX-License-Identifier: Apache-2.0
/** A program that is a module. */
module org.example.modular {
    requires dev.jurom;
}
