/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C twin of Java's codecs: it fills the structs of headers/ from text and prints their bytes.
 *
 * One line of input is one message: its name, then the values of its fields in the order of the
 * struct, integers in decimal and bytes in hexadecimal ("-" for none). One line of output is that
 * message, packed, in hexadecimal. A message too many, too few or unknown ends the program with 1.
 */
#ifndef CODEC_H_
#define CODEC_H_

#include <stddef.h>
#include <stdint.h>

#define MESSAGE_CAPACITY (1 << 20)

/* A message that is being packed. */
struct message {
    size_t length;
    uint8_t bytes[MESSAGE_CAPACITY];
};

/* Bytes of the input, valid until the line ends. */
struct blob {
    size_t length;
    uint8_t *bytes;
};

/* One kind of message. */
struct packer {
    const char *name;
    void (*pack)(struct message *message);
};

/* The messages of each file, ended by one without a name. */
extern const struct packer graph_packers[];
extern const struct packer sandbox_packers[];
extern const struct packer rdmo_packers[];
extern const struct packer zoo_packers[];

/* The next value of the line: an integer without sign, with sign, a number, bytes. */
uint64_t next_u64(void);
int64_t next_s64(void);
double next_double(void);
struct blob next_blob(void);

/* Adds bytes at the end of the message. */
void append(struct message *message, const void *bytes, size_t length);

#endif /* CODEC_H_ */
