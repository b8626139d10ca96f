/* Steps one world on several threads with small stacks, on which scripts would not fit, and frees worlds that others use.

   threads FOLDER LEVEL */

#include "hangtime.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, STEPS = 50 };

static HangtimeWorld shared, brief;

static void *play(void *unused) {
    (void)unused;
    for (int i = 0; i < STEPS; i++) {
        if (hangtime_step(shared, NULL, 0, 1) != HANGTIME_STATUS_OK) return (void *)1;
        /* Gone as soon as another thread has freed it. */
        HangtimeStatus status = hangtime_step(brief, NULL, 0, 1);
        if (status != HANGTIME_STATUS_OK && status != HANGTIME_STATUS_WORLD) return (void *)2;
        if (i == STEPS / 2) hangtime_free(brief);
    }
    return NULL;
}

int main(int count, char **arguments) {
    HangtimeWorld alone;
    if (count != 3) return 2;
    HangtimeStatus opened = hangtime_open(HANGTIME_ABI, arguments[1], arguments[2], 0, &alone);
    if (opened != HANGTIME_STATUS_OK || hangtime_fork(alone, &shared) || hangtime_fork(alone, &brief)) {
        fprintf(stderr, "%s\n", hangtime_last_error());
        return 3;
    }
    pthread_t threads[THREADS];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 * 1024);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &small, play, NULL)) return 4;
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        if (failed) return 5;
    }
    uint64_t hashes[2];
    hangtime_step(alone, NULL, 0, THREADS * STEPS);
    hangtime_hash(alone, &hashes[0]);
    hangtime_hash(shared, &hashes[1]);
    if (hashes[0] != hashes[1]) return 6;
    if (hangtime_free(brief) != HANGTIME_STATUS_WORLD) return 7;
    return hangtime_free(alone) || hangtime_free(shared);
}
