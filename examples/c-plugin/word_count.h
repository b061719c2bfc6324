/* SPDX-License-Identifier: Apache-2.0 */
/* The messages between hosts and the plugin worker_word_count. */
#ifndef WORD_COUNT_H_
#define WORD_COUNT_H_

#include <stdint.h>

/* A command: the struct, then `length` bytes of text. */
struct word_count_command {
    uint8_t separator; /* ends a word, as a blank does */
    uint64_t length;   /* of the text */
};

/* The answer. */
struct word_count_answer {
    uint64_t words;
    uint32_t longest; /* bytes of the longest word */
};

#endif /* WORD_COUNT_H_ */
