/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin between hosts and peers who write what they like. One plugin a fuzzer. */
#ifndef JUROM_TEST_PLUGIN_FUZZ_H_
#define JUROM_TEST_PLUGIN_FUZZ_H_

#include "input.h"

#define COMMAND_MAX 512

/* The plugin's own: makes a command that is about right, and gives its length. */
size_t make_command(struct input *input, uint8_t bytes[COMMAND_MAX]);

/* The plugin's own: learns from an answer, such as the key of memory; and begins anew. */
void learn(const uint8_t *bytes, size_t length);
void forget(void);

/* The plugin's own: makes the header of a request, and gives its length; 0: it takes none. */
size_t make_request(struct input *input, uint8_t bytes[COMMAND_MAX]);

#endif /* JUROM_TEST_PLUGIN_FUZZ_H_ */
