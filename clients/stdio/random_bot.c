/* Plays any game at random, in C99 with nothing but libc.
 *
 * Its choices follow from CROUPIER_BOT_SEED and from which decision of which deal it is, not from the order of lines.
 * It needs no JSON library: what it reads are numbers, and texts without escapes, of which it repeats some.
 */
#define _POSIX_C_SOURCE 200809L /* for getline: a line may be of any length */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A piece of a line. */
struct text {
    const char *at;
    int length;
};

/* What is remembered of a game, by session and seat: one bot may have several seats at one table. */
struct game {
    struct game *next;
    char session[128];
    uint64_t seat;
    uint64_t deal; /* what chance starts from */
};

/* The number, or the text without its quotes, under a key; empty if there is none.
 * Quotes inside texts are escaped, so that no text looks like a key. */
static struct text value_of(const char *line, const char *key)
{
    char sought[32];
    int length = snprintf(sought, sizeof sought, "\"%s\":", key);
    const char *at = strstr(line, sought);
    if (at == NULL)
        return (struct text){"", 0};
    at += length;
    if (*at == '"')
        return (struct text){at + 1, (int)strcspn(at + 1, "\"")};
    return (struct text){at, (int)strcspn(at, ",}]")};
}

static uint64_t number(struct text text)
{
    return strtoull(text.at, NULL, 10);
}

/* FNV-1a, a byte at a time, over the text and a slash after it. */
static uint64_t hashed(uint64_t hash, struct text text)
{
    for (int i = 0; i <= text.length; i++)
        hash = (hash ^ (unsigned char)(i < text.length ? text.at[i] : '/')) * UINT64_C(0x100000001b3);
    return hash;
}

/* Spreads what differs in a few bits over all of them. */
static uint64_t mixed(uint64_t hash)
{
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ (hash >> 33);
}

/* The link to the game that the line is about; what it points to is NULL if there is none. */
static struct game **find(struct game **link, const char *line)
{
    struct text session = value_of(line, "session");
    uint64_t seat = number(value_of(line, "seat"));
    for (; *link != NULL; link = &(*link)->next)
        if ((*link)->seat == seat && strlen((*link)->session) == (size_t)session.length &&
            memcmp((*link)->session, session.at, (size_t)session.length) == 0)
            break;
    return link;
}

static void forget(struct game **link)
{
    struct game *game = *link;
    if (game == NULL)
        return;
    *link = game->next;
    free(game);
}

static void sit_down(struct game **games, const char *line, uint64_t seed)
{
    struct text session = value_of(line, "session");
    struct game *game = malloc(sizeof *game);
    if (game == NULL || session.length >= (int)sizeof game->session) {
        fputs("random_bot: there is no room for another game\n", stderr);
        exit(EXIT_FAILURE);
    }
    forget(find(games, line)); /* after a lost connection a game is announced again */
    memcpy(game->session, session.at, (size_t)session.length);
    game->session[session.length] = '\0';
    game->seat = number(value_of(line, "seat"));
    game->deal = hashed(seed, value_of(line, "commitment"));
    game->next = *games;
    *games = game;
}

static void play(const struct game *game, const char *line, uint64_t seed)
{
    struct text session = value_of(line, "session"), seat = value_of(line, "seat");
    struct text decision = value_of(line, "decision");
    uint64_t lot = mixed(hashed(hashed(game != NULL ? game->deal : seed, seat), decision));
    uint64_t count = number(value_of(line, "legal_count"));
    printf("{\"session\":\"%.*s\",\"seat\":%.*s,\"decision\":%.*s,\"choose\":%" PRIu64 "}\n", session.length,
           session.at, seat.length, seat.at, decision.length, decision.at, count > 0 ? lot % count : 0);
}

static bool starts(const char *line, const char *beginning)
{
    return strncmp(line, beginning, strlen(beginning)) == 0;
}

int main(void)
{
    const char *given = getenv("CROUPIER_BOT_SEED");
    struct text words = {given != NULL ? given : "0", given != NULL ? (int)strlen(given) : 1};
    uint64_t seed = hashed(UINT64_C(0xcbf29ce484222325), words);
    struct game *games = NULL;
    char *line = NULL;
    size_t room = 0;

    setvbuf(stdout, NULL, _IOLBF, 0); /* a pipe would hold back what is printed */
    puts("{\"want\":{\"view\":false,\"legal\":false,\"events\":false}}");
    while (getline(&line, &room, stdin) != -1) {
        if (starts(line, "{\"type\":\"turn\","))
            play(*find(&games, line), line, seed);
        else if (starts(line, "{\"type\":\"seated\","))
            sit_down(&games, line, seed);
        else if (starts(line, "{\"type\":\"game_over\","))
            forget(find(&games, line));
    }
    while (games != NULL)
        forget(&games);
    free(line);
    return EXIT_SUCCESS;
}
