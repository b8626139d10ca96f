/* Plays a level with the lines of an input file, as `hangtime run` does, with a copy and a snapshot made on the way, and
   prints the hash.

   play FOLDER LEVEL INPUTS TICKS */

#include "hangtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(HangtimeStatus status) {
    if (status != HANGTIME_STATUS_OK) {
        fprintf(stderr, "%d: %s\n", status, hangtime_last_error());
        exit(1);
    }
}

static char *read_file(const char *path) {
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "rb");
    if (!text || !file || fread(text, 1, (1 << 20) - 1, file) == 0) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return text;
}

static uint64_t hash_of(HangtimeWorld world) {
    uint64_t hash;
    check(hangtime_hash(world, &hash));
    return hash;
}

int main(int count, char **arguments) {
    if (count != 5 || hangtime_abi() != HANGTIME_ABI) return 2;
    uint64_t ticks = strtoull(arguments[4], NULL, 10), half = ticks / 2;

    HangtimeWorld world, copy;
    check(hangtime_open(HANGTIME_ABI, arguments[1], arguments[2], 0, &world));
    char *lines = read_file(arguments[3]);
    check(hangtime_inputs(world, lines));
    free(lines);
    check(hangtime_step(world, NULL, 0, half));

    /* How much room a snapshot needs is what a call without room says. */
    size_t needed;
    if (hangtime_snapshot(world, NULL, 0, &needed) != HANGTIME_STATUS_TOO_SMALL) return 3;
    uint8_t *bytes = malloc(needed);
    check(hangtime_snapshot(world, bytes, needed, &needed));
    check(hangtime_fork(world, &copy));

    check(hangtime_step(world, NULL, 0, ticks - half));
    check(hangtime_step(copy, NULL, 0, ticks - half));
    uint64_t hash = hash_of(world);
    if (hash_of(copy) != hash) return 4;
    check(hangtime_restore(world, bytes, needed));
    free(bytes);
    check(hangtime_step(world, NULL, 0, ticks - half));
    if (hash_of(world) != hash) return 5;

    size_t entities;
    HangtimeView views[256];
    check(hangtime_views(world, views, 256, &entities));
    if (hangtime_events(world, NULL, 0, &needed) != HANGTIME_STATUS_TOO_SMALL) return 6;
    char *events = malloc(needed);
    check(hangtime_events(world, events, needed, &needed));
    if (strlen(events) + 1 != needed) return 7;
    free(events);
    check(hangtime_free(copy));
    check(hangtime_free(world));
    printf("%016" PRIx64 " %zu entities, the first at %g %g\n", hash, entities, views[0].pos[0], views[0].pos[1]);
    return 0;
}
