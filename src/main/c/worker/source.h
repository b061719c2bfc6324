/* SPDX-License-Identifier: Apache-2.0 */
/* What an event of a descriptor belongs to. Embedded in its owner. */
#ifndef JUROM_SOURCE_H_
#define JUROM_SOURCE_H_

struct source {
    enum source_kind {
        SOURCE_SERVICE,    /* a struct service: it has said something, or its pipe has room */
        SOURCE_LISTENER,   /* a struct listener: somebody wants to connect */
        SOURCE_STRANGER,   /* a struct stranger: it has sent something */
        SOURCE_CONNECTION, /* a struct connection: it has to be polled */
        SOURCE_PLUGIN,     /* a plugin's: it has to be progressed */
    } kind;
};

#endif /* JUROM_SOURCE_H_ */
