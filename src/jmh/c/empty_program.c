/* SPDX-License-Identifier: Apache-2.0 */
/* The floor for starting a worker: a program that says that it is there, and ends. */
#include <unistd.h>

int main(void)
{
    return write(STDOUT_FILENO, "1", 1) != 1;
}
