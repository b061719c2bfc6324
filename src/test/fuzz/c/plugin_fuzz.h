/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin with hosts and peers that send anything. Each fuzzer tests one plugin. */
#ifndef JUROM_TEST_PLUGIN_FUZZ_H_
#define JUROM_TEST_PLUGIN_FUZZ_H_

#include "input.h"

#define COMMAND_MAX 512

/* Implemented per plugin: makes a nearly valid command and returns its length. */
size_t make_command(struct input *input, uint8_t bytes[COMMAND_MAX]);

/* Implemented per plugin: stores data of an answer, such as the key of memory; resets this data. */
void learn(const uint8_t *bytes, size_t length);
void forget(void);

/* Implemented per plugin: makes the header of a request and returns its length; 0: no requests. */
size_t make_request(struct input *input, uint8_t bytes[COMMAND_MAX]);

#endif /* JUROM_TEST_PLUGIN_FUZZ_H_ */
