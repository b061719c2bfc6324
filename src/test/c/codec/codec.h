/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C counterpart of the Java codecs: fills the structs of headers/ from text and prints their
 * bytes.
 *
 * An input line is a message: its name and the values of its fields in the order of the struct,
 * integers in decimal and bytes in hexadecimal ("-" for none). An output line is the packed message
 * in hexadecimal. The program exits with code 1 if a message is unknown or has too few or too many
 * values.
 */
#ifndef CODEC_H_
#define CODEC_H_

#include <stddef.h>
#include <stdint.h>

#define MESSAGE_CAPACITY (1 << 20)

/* A message being packed. */
struct message {
    size_t length;
    uint8_t bytes[MESSAGE_CAPACITY];
};

/* Bytes of the input, valid until the next line is read. */
struct blob {
    size_t length;
    uint8_t *bytes;
};

/* A message type. */
struct packer {
    const char *name;
    void (*pack)(struct message *message);
};

/* The message types of each file, terminated by one without a name. */
extern const struct packer graph_packers[];
extern const struct packer sandbox_packers[];
extern const struct packer rdmo_packers[];
extern const struct packer zoo_packers[];

/* Return the next value of the line: an unsigned integer, a signed integer, a number, bytes. */
uint64_t next_u64(void);
int64_t next_s64(void);
double next_double(void);
struct blob next_blob(void);

/* Appends bytes to the message. */
void append(struct message *message, const void *bytes, size_t length);

#endif /* CODEC_H_ */
