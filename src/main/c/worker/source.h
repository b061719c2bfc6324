/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of object that owns a watched descriptor. Embedded in that object. */
#ifndef JUROM_SOURCE_H_
#define JUROM_SOURCE_H_

struct source {
    enum source_kind {
        SOURCE_SERVICE,    /* a struct service: input is readable, or output is writable */
        SOURCE_LISTENER,   /* a struct listener: a connection is pending */
        SOURCE_STRANGER,   /* a struct stranger: data has arrived */
        SOURCE_CONNECTION, /* a struct connection: it has to be polled */
        SOURCE_PLUGIN,     /* a plugin's: it has to be progressed */
    } kind;
};

#endif /* JUROM_SOURCE_H_ */
