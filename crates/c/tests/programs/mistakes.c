/* Makes every mistake that a program can make with the library, and looks whether each is an error that says what is wrong,
   and whether the world is as before.

   mistakes FOLDER */

#include "hangtime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

static void expect(int line, HangtimeStatus got, HangtimeStatus status, const char *words) {
    if (got != status || !strstr(hangtime_last_error(), words)) {
        fprintf(stderr, "line %d: status %d, not %d: %s\n", line, got, status, hangtime_last_error());
        wrong = 1;
    }
}

#define EXPECT(call, status, words) expect(__LINE__, call, HANGTIME_STATUS_##status, words)
#define FINE(call) EXPECT(call, OK, "")

int main(int count, char **arguments) {
    if (count != 2) return 2;
    const char *folder = arguments[1];
    const char *not_utf8 = "\xff\xfe";
    HangtimeWorld world = 77, other;
    uint64_t before, number;
    uint32_t small;
    size_t size;

    if (strcmp(hangtime_last_error(), "") != 0) return 3;
    EXPECT(hangtime_open(HANGTIME_ABI + 1, folder, "playground", 0, &world), ARGUMENT, "ABI 2");
    EXPECT(hangtime_open(HANGTIME_ABI, NULL, "playground", 0, &world), ARGUMENT, "`folder` is NULL");
    EXPECT(hangtime_open(HANGTIME_ABI, folder, NULL, 0, &world), ARGUMENT, "`level` is NULL");
    EXPECT(hangtime_open(HANGTIME_ABI, folder, not_utf8, 0, &world), ARGUMENT, "`level` is not UTF-8");
    EXPECT(hangtime_open(HANGTIME_ABI, folder, "playground", 0, NULL), ARGUMENT, "`world` is NULL");
    EXPECT(hangtime_open(HANGTIME_ABI, folder, "playgruond", 0, &world), FILES, "playground");
    EXPECT(hangtime_open(HANGTIME_ABI, "no/such/folder", "playground", 0, &world), FILES, "no/such/folder");
    if (world != 77) return 4;

    FINE(hangtime_open(HANGTIME_ABI, folder, "playground", 0, &world));
    FINE(hangtime_step(world, NULL, 0, 30));
    FINE(hangtime_hash(world, &before));

    EXPECT(hangtime_action(world, "jmup", &small), ARGUMENT, "did you mean `jump`");
    EXPECT(hangtime_action(world, NULL, &small), ARGUMENT, "`name` is NULL");
    EXPECT(hangtime_action(world, "jump", NULL), ARGUMENT, "`bit` is NULL");

    HangtimeInput players[9];
    memset(players, 0, sizeof players);
    EXPECT(hangtime_step(world, NULL, 1, 1), ARGUMENT, "`players` is NULL");
    EXPECT(hangtime_step(world, players, 9, 1), ARGUMENT, "at most 8 players");
    EXPECT(hangtime_step(world, players, (size_t)-1, 1), ARGUMENT, "at most 8 players");
    EXPECT(hangtime_step(world, (HangtimeInput *)((char *)players + 1), 1, 1), ARGUMENT, "not aligned");
    EXPECT(hangtime_step(world, players, 1, (uint64_t)-1), ARGUMENT, "at most 1000000");
    players[1].held = 1u << 31;
    EXPECT(hangtime_step(world, players, 2, 1), ARGUMENT, "player 2: `held` is 2147483648");
    players[1].held = 0;
    players[1].stick[0] = 1.5;
    EXPECT(hangtime_step(world, players, 2, 1), ARGUMENT, "`stick` is [1.5, 0]");
    players[1].stick[0] = NAN;
    EXPECT(hangtime_step(world, players, 2, 1), ARGUMENT, "`stick` is [NaN, 0]");
    players[1].stick[0] = 0;
    players[1].aim[1] = INFINITY;
    players[1].aims = 1;
    EXPECT(hangtime_step(world, players, 2, 1), ARGUMENT, "`aim` is [0, inf]");
    EXPECT(hangtime_inputs(world, "30 rigth\n"), FILES, "did you mean `right`");
    EXPECT(hangtime_inputs(world, NULL), ARGUMENT, "`lines` is NULL");

    EXPECT(hangtime_tick(world, NULL), ARGUMENT, "`tick` is NULL");
    EXPECT(hangtime_hz(world, NULL), ARGUMENT, "`hz` is NULL");
    EXPECT(hangtime_hash(world, NULL), ARGUMENT, "`hash` is NULL");
    EXPECT(hangtime_reload(world, NULL), ARGUMENT, "`changed` is NULL");
    EXPECT(hangtime_fork(world, NULL), ARGUMENT, "`copy` is NULL");
    EXPECT(hangtime_find(world, "hreo", &small), ARGUMENT, "did you mean `hero`");

    HangtimeView views[256];
    memset(views, 0x55, sizeof views);
    EXPECT(hangtime_views(world, views, 256, NULL), ARGUMENT, "`count` is NULL");
    EXPECT(hangtime_views(world, NULL, 256, &size), ARGUMENT, "`views` is NULL");
    EXPECT(hangtime_views(world, views, (size_t)-1, &size), ARGUMENT, "memory is smaller");
    EXPECT(hangtime_views(world, views, 0, &size), TOO_SMALL, "room for 0");
    if (size == 0 || views[0].id != 0x55555555) return 5;
    char text[4] = "abc";
    EXPECT(hangtime_entity(world, 1, text, sizeof text, &size), TOO_SMALL, "room for 4");
    if (size <= 4 || strcmp(text, "abc") != 0) return 6;
    EXPECT(hangtime_entity(world, 1, text, sizeof text, NULL), ARGUMENT, "`needed` is NULL");
    EXPECT(hangtime_entity(world, 4000000000u, text, sizeof text, &size), ARGUMENT, "the id 4000000000");
    EXPECT(hangtime_line(world, NULL, 0, &size), TOO_SMALL, "room for 0");
    EXPECT(hangtime_scene(world, NULL, 0, &size), TOO_SMALL, "room for 0");
    EXPECT(hangtime_events(world, NULL, 5, &size), ARGUMENT, "`text` is NULL");
    FINE(hangtime_messages(world, text, sizeof text, &size));

    /* Each byte of a snapshot changed, and each length. */
    EXPECT(hangtime_snapshot(world, NULL, 0, &size), TOO_SMALL, "room for 0");
    size_t length = size;
    uint8_t *bytes = malloc(length);
    FINE(hangtime_snapshot(world, bytes, length, &size));
    EXPECT(hangtime_restore(world, NULL, length), ARGUMENT, "`bytes` is NULL");
    EXPECT(hangtime_restore(world, bytes, (size_t)-1), ARGUMENT, "memory is smaller");
    for (size_t i = 0; i < length; i += 97) {
        EXPECT(hangtime_restore(world, bytes, i), FILES, "snapshot");
        bytes[i] ^= 0x5a;
        if (hangtime_restore(world, bytes, length) == HANGTIME_STATUS_OK) {
            fprintf(stderr, "byte %zu of a snapshot can be anything\n", i);
            wrong = 1;
        }
        bytes[i] ^= 0x5a;
    }
    FINE(hangtime_hash(world, &number));
    if (number != before) return 7;
    FINE(hangtime_restore(world, bytes, length));
    FINE(hangtime_hash(world, &number));
    if (number != before) return 8;

    /* What has happened since the snapshot has not happened there. */
    HangtimeInput jump = {0};
    FINE(hangtime_action(world, "jump", &jump.held));
    FINE(hangtime_step(world, &jump, 1, 30));
    EXPECT(hangtime_events(world, NULL, 0, &size), TOO_SMALL, "room for 0");
    if (size <= sizeof "[]") return 9;
    FINE(hangtime_restore(world, bytes, length));
    EXPECT(hangtime_events(world, NULL, 0, &size), TOO_SMALL, "room for 0");
    if (size != sizeof "[]") return 10;

    /* A snapshot of another level, and what is done to worlds that are gone. */
    FINE(hangtime_open(HANGTIME_ABI, folder, "courtyard", 0, &other));
    EXPECT(hangtime_restore(other, bytes, length), FILES, "levels/playground.toml");
    FINE(hangtime_free(other));
    HangtimeWorld gone[] = {0, other, 123456789, (uint64_t)-1};
    const char *said[] = {"0 is not a world", "has been freed", "no world 123456789", "no world 1844"};
    for (int i = 0; i < 4; i++) {
        HangtimeWorld it = gone[i];
        EXPECT(hangtime_free(it), WORLD, said[i]);
        EXPECT(hangtime_fork(it, &other), WORLD, said[i]);
        EXPECT(hangtime_action(it, "jump", &small), WORLD, said[i]);
        EXPECT(hangtime_step(it, players, 1, 1), WORLD, said[i]);
        EXPECT(hangtime_inputs(it, "1 right\n"), WORLD, said[i]);
        EXPECT(hangtime_tick(it, &number), WORLD, said[i]);
        EXPECT(hangtime_hz(it, &small), WORLD, said[i]);
        EXPECT(hangtime_hash(it, &number), WORLD, said[i]);
        EXPECT(hangtime_views(it, views, 256, &size), WORLD, said[i]);
        EXPECT(hangtime_find(it, "hero", &small), WORLD, said[i]);
        EXPECT(hangtime_entity(it, 1, text, 4, &size), WORLD, said[i]);
        EXPECT(hangtime_line(it, text, 4, &size), WORLD, said[i]);
        EXPECT(hangtime_scene(it, text, 4, &size), WORLD, said[i]);
        EXPECT(hangtime_events(it, text, 4, &size), WORLD, said[i]);
        EXPECT(hangtime_messages(it, text, 4, &size), WORLD, said[i]);
        EXPECT(hangtime_snapshot(it, bytes, length, &size), WORLD, said[i]);
        EXPECT(hangtime_restore(it, bytes, length), WORLD, said[i]);
        EXPECT(hangtime_reload(it, &size), WORLD, said[i]);
    }
    free(bytes);
    FINE(hangtime_hash(world, &number));
    if (number != before) return 9;
    FINE(hangtime_free(world));
    return wrong;
}
