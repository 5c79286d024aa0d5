/// volnav/main.c: finds the command and runs it.
///
/// The folders of the tool, each using those below it only:
///   commands    one file a command: bake, info, query, replay, demo, sim, view
///   bench       the command bench: contenders, repeat and stream times, worlds that change
///   experiment  the command experiment: experiments of theses, rebuilt, each on one page
///   draw        pictures and pages: SVG, charts, HTML
///   search      options of a search, one search run and checked, its outcome in words
///   input       files into worlds: maps, scenes, meshes, saved spaces; untrusted ones are read apart
///   shell       arguments, messages, JSON, clocks, statistics, progress, the operating system
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "shell/args.h"
#include "shell/say.h"
#include "shell/system.h"
#include "volnav/base.h"

static const char help[] = "volnav: navigation for everything that flies, swims or floats.\n"
                           "\n"
                           "A world of obstacles becomes voxels, and a path between two points is found in\n"
                           "the free ones and proven right by an independent checker.\n"
                           "\n"
                           "Usage: volnav COMMAND [arguments]\n"
                           "\n"
                           "  query IN --from x,y,z --to x,y,z   find a path\n"
                           "  bake IN [-o OUT.vnav]              turn a world into cells and save them\n"
                           "  info FILE                          what an input or a saved file holds\n"
                           "  replay F.vnrec                     run a recorded query or run again, compare\n"
                           "  bench MAP.3dmap --scen F.3dscen    measure searches on a benchmark\n"
                           "  demo [SCENE] [--picture F.svg]     fly the routes of a scene and draw them\n"
                           "  sim [SCENE] [--runs N]             fly in scenes that move; count collisions\n"
                           "  experiment [NAME] [--quick]        rebuild a thesis's experiments on one page\n"
                           "  view [IN]                          see it, search it, fly it in a browser\n"
                           "  help [COMMAND]                     this text, or that of a command\n"
                           "  --version                          the version\n"
                           "\n"
                           "IN is a saved space (.vnav), a voxel map (.3dmap, OctoMap's .bt and .ot), a\n"
                           "level of brushes (Quake's .map), a scene (.scene), or a mesh (.gltf .glb .obj\n"
                           ".stl .ply .fbx and what else assimp reads).\n"
                           "Metres, right-handed, +Y is up.\n"
                           "\n"
                           "Examples:\n"
                           "  volnav query samples/scenes/gallery.scene --from 5,5,9 --to 95,6,58\n"
                           "  volnav query samples/scenes/house.obj --resolution 0.2 --radius 0.3 \\\n"
                           "      --from 2,1.2,7 --to 2,4.2,7 --picture house.svg\n"
                           "  volnav demo samples/scenes/station.scene --picture station.svg\n"
                           "\n"
                           "Exit codes: 0 done, a path was found; 1 no path, or a check failed; 2 bad usage\n"
                           "or bad input.\n";

typedef struct command {
    const char* name;
    int (*run)(int argc, char** argv);
} command;

static const command commands[] = {{"query", command_query}, {"bake", command_bake},
                                   {"bench", command_bench}, {"demo", command_demo},
                                   {"info", command_info},   {"replay", command_replay},
                                   {"sim", command_sim},     {"experiment", command_experiment},
                                   {"view", command_view}};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int unknown_command(const char* name) {
    const char* names[COMMAND_COUNT + 2];
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        names[i] = commands[i].name;
    }

    names[COMMAND_COUNT] = "help";
    names[COMMAND_COUNT + 1] = NULL;
    if (strchr(name, '.') != NULL) { // a file
        return say_bad(
            "%s is no command. To search it: volnav query %s --from x,y,z --to x,y,z. See volnav --help.",
            name, name);
    }

    const char* nearest = args_nearest(name, names);
    return nearest == NULL
               ? say_bad("unknown command %s. See volnav --help.", name)
               : say_bad("unknown command %s; did you mean %s? See volnav --help.", name, nearest);
}

static int run_command(const char* name, int argc, char** argv) {
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(name, commands[i].name) == 0) {
            return commands[i].run(argc, argv);
        }
    }
    return unknown_command(name);
}

static int run_help(int argc, char** argv) {
    static char option[] = "--help";
    char* arguments[] = {option, NULL};
    if (argc == 0 || strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_DONE;
    }

    return run_command(argv[0], 1, arguments);
}

static int run(int argc, char** argv) {
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_BAD;
    }

    if (strcmp(argv[1], "--version") == 0) {
        const unsigned version = vn_version();
        printf("volnav %u.%u.%u\n", version / 10000, version / 100 % 100, version % 100);
        return EXIT_DONE;
    }

    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return run_help(argc - 2, argv + 2);
    }

    return run_command(argv[1], argc - 2, argv + 2);
}

int main(int argc, char** argv) {
    return system_flush(run(argc, argv));
}
