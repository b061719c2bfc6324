/* SPDX-License-Identifier: Apache-2.0 */
/* The C counterpart of the Java benchmarks: loopback commands of one host to one worker. */
#include "loopback.h"
#include "measure.h"
#include "options.h"

struct command {
    struct measurement measurement;
    struct loopback loopback;
};

static void operate(struct measurement *measurement)
{
    loopback_once(&((struct command *)measurement)->loopback);
}

static uint64_t run_one_by_one(struct measurement *measurement, uint64_t *samples, size_t count)
{
    return measure_each(measurement, operate, samples, count);
}

static void stream(struct measurement *measurement, size_t count)
{
    loopback_stream(&((struct command *)measurement)->loopback, count);
}

static uint64_t run_stream(struct measurement *measurement, uint64_t *samples, size_t count)
{
    (void)samples;
    return measure_stream(measurement, stream, count);
}

int main(int argc, char **argv)
{
    struct options options = options_parse(argc, argv);
    struct command command = {
        .measurement.run = options.depth == 1 && !options.stream ? run_one_by_one : run_stream,
    };
    int exit_code;

    pin_to_core(options.cores[0]);
    loopback_open(&command.loopback, &options);
    exit_code = measure(&command.measurement);
    loopback_close(&command.loopback);
    return exit_code;
}
