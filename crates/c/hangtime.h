/* hangtime for C: see docs/engines.md. Made from crates/c/src by the test `the_header_is_current`. */

#ifndef HANGTIME_H
#define HANGTIME_H

#include <stddef.h>
#include <stdint.h>

/**
 * The version of this header: what is passed to `hangtime_open`. It changes whenever a program that was built with an
 * earlier header would no longer work.
 */
#define HANGTIME_ABI 1

/**
 * The most ticks of one step: four hours of play at 60 ticks a second.
 */
#define HANGTIME_MOST_TICKS 1000000

/**
 * How a call has ended. If it is not `HANGTIME_STATUS_OK`, `hangtime_last_error` says why, and nothing has changed.
 */
typedef enum HangtimeStatus {
  /**
   * Everything was done.
   */
  HANGTIME_STATUS_OK = 0,
  /**
   * An argument cannot be what it is: NULL, not aligned, not UTF-8, or out of its range.
   */
  HANGTIME_STATUS_ARGUMENT = 1,
  /**
   * There is no such world: it was freed, or never opened.
   */
  HANGTIME_STATUS_WORLD = 2,
  /**
   * The game's files, lines of inputs or a snapshot have mistakes, which the last error names.
   */
  HANGTIME_STATUS_FILES = 3,
  /**
   * The buffer is too small. The number that it has to have is where the call has written it.
   */
  HANGTIME_STATUS_TOO_SMALL = 4,
  /**
   * A bug of hangtime, or no memory for a stack. After a bug, the world has ended and can only be freed.
   */
  HANGTIME_STATUS_FAILED = 5,
} HangtimeStatus;

/**
 * A world, by its number. 0 is never one.
 */
typedef uint64_t HangtimeWorld;

/**
 * What a player does. All zeros are a player who does nothing.
 */
typedef struct HangtimeInput {
  /**
   * The actions that are held: bits of `hangtime_action`.
   */
  uint32_t held;
  /**
   * Actions that were pressed since the last step, even if they are no longer held. What is held need not be here: the
   * world knows what was held before.
   */
  uint32_t pressed;
  /**
   * The stick, -1 to 1 on each axis.
   */
  double stick[2];
  /**
   * The point that is aimed at, px, if `aims` is not 0.
   */
  double aim[2];
  /**
   * Whether `aim` counts.
   */
  uint32_t aims;
} HangtimeInput;

/**
 * The numbers of an entity. Lengths are px, times are seconds, angles are radians counterclockwise, and y points up.
 */
typedef struct HangtimeView {
  /**
   * From 1, unique in a world.
   */
  uint32_t id;
  /**
   * The player who controls it, counted from 1; 0 for none.
   */
  uint32_t player;
  /**
   * The center; in a top view, the third number is the height of the feet.
   */
  double pos[3];
  /**
   * The velocity of its model.
   */
  double vel[3];
  /**
   * The velocity that others have given it.
   */
  double external[3];
  /**
   * The full width and height of its body, at angle 0.
   */
  double size[2];
  /**
   * Its angle.
   */
  double angle;
  /**
   * Its angular velocity.
   */
  double spin;
  /**
   * 1 toward +x, -1 toward -x.
   */
  int32_t facing;
  /**
   * 1 on the ground, otherwise 0.
   */
  uint32_t grounded;
} HangtimeView;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library's header: `HANGTIME_ABI` of the header that it was built with.
 */
uint32_t hangtime_abi(void);

/**
 * What the last error on this thread was, as UTF-8: empty if there was none. The text stays until the next error on this
 * thread. Never NULL.
 */
const char *hangtime_last_error(void);

/**
 * Opens a level, by its name or path, of the game in a folder, at tick 0. `abi` is `HANGTIME_ABI`; `seed` determines all
 * random numbers.
 */
enum HangtimeStatus hangtime_open(uint32_t abi,
                                  const char *folder,
                                  const char *level,
                                  uint64_t seed,
                                  HangtimeWorld *world);

/**
 * Frees a world. Its number is never used again.
 */
enum HangtimeStatus hangtime_free(HangtimeWorld world);

/**
 * The same world again, for example to return to it: from here on, both go their own ways. The fastest way to save a world.
 */
enum HangtimeStatus hangtime_fork(HangtimeWorld world,
                                  HangtimeWorld *copy);

/**
 * The bit of an action, such as `jump`, in the sets of a `HangtimeInput`.
 */
enum HangtimeStatus hangtime_action(HangtimeWorld world, const char *name, uint32_t *bit);

/**
 * Makes `ticks` ticks in which the first `count` players hold these inputs; short presses happen in the first tick. With
 * players, it drops what `hangtime_inputs` has queued; with none, it plays that.
 */
enum HangtimeStatus hangtime_step(HangtimeWorld world,
                                  const struct HangtimeInput *players,
                                  size_t count,
                                  uint64_t ticks);

/**
 * Queues the lines of an input file, such as `30 right` and `1 right jump`, from the present tick on, instead of what was
 * queued. `hangtime_step` without players plays them.
 */
enum HangtimeStatus hangtime_inputs(HangtimeWorld world,
                                    const char *lines);

/**
 * How many ticks were made.
 */
enum HangtimeStatus hangtime_tick(HangtimeWorld world, uint64_t *tick);

/**
 * Ticks per second.
 */
enum HangtimeStatus hangtime_hz(HangtimeWorld world, uint32_t *hz);

/**
 * The hash of the state: equal worlds have equal hashes on every machine. `hangtime run` prints it as 16 hexadecimal
 * digits.
 */
enum HangtimeStatus hangtime_hash(HangtimeWorld world, uint64_t *hash);

/**
 * Writes all entities, by ascending id, into an array of `capacity` views, and their number into `count`.
 */
enum HangtimeStatus hangtime_views(HangtimeWorld world, struct HangtimeView *views, size_t capacity, size_t *count);

/**
 * The id of the entity with a name.
 */
enum HangtimeStatus hangtime_find(HangtimeWorld world, const char *name, uint32_t *id);

/**
 * All that is known about an entity, as JSON: its name, kind, model, mode, hook, the variables of its script and more, as
 * lines of traces have it.
 */
enum HangtimeStatus hangtime_entity(HangtimeWorld world,
                                    uint32_t id,
                                    char *json,
                                    size_t capacity,
                                    size_t *needed);

/**
 * The present tick as a line of a trace, which is JSON: all entities, the variables of the level, and the events of the
 * tick.
 */
enum HangtimeStatus hangtime_line(HangtimeWorld world, char *json, size_t capacity, size_t *needed);

/**
 * The solids, where platforms are, and what scripts draw, as JSON: the result of `world.scene`.
 */
enum HangtimeStatus hangtime_scene(HangtimeWorld world, char *json, size_t capacity, size_t *needed);

/**
 * The events of the last step, as a list in JSON: the first 100,000. Each has the fields that it has in traces.
 */
enum HangtimeStatus hangtime_events(HangtimeWorld world, char *json, size_t capacity, size_t *needed);

/**
 * What scripts have printed, and their errors, in the last step: a text for people.
 */
enum HangtimeStatus hangtime_messages(HangtimeWorld world, char *text, size_t capacity, size_t *needed);

/**
 * Saves a world with the inputs that it has yet to play, as bytes for `hangtime_restore`.
 */
enum HangtimeStatus hangtime_snapshot(HangtimeWorld world, uint8_t *bytes, size_t capacity, size_t *needed);

/**
 * Continues with a snapshot of a world of the same level. If it is damaged or does not fit, the world stays as it was.
 */
enum HangtimeStatus hangtime_restore(HangtimeWorld world, const uint8_t *bytes, size_t size);

/**
 * Reads the files of the game again and continues under what they say now, with all state, and writes how many files have
 * changed. If files have mistakes, the world continues under the files as they were.
 */
enum HangtimeStatus hangtime_reload(HangtimeWorld world,
                                    size_t *changed);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HANGTIME_H */
