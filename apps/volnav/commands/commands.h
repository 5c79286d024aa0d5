/// volnav/commands/commands.h: one function for each command: it gets the arguments after its name and
/// returns the exit code.
#ifndef COMMANDS_H
#define COMMANDS_H

int command_bake(int argc, char** argv);
int command_query(int argc, char** argv);
int command_bench(int argc, char** argv);
int command_demo(int argc, char** argv);
int command_info(int argc, char** argv);
int command_replay(int argc, char** argv);
int command_sim(int argc, char** argv);
int command_experiment(int argc, char** argv);
int command_view(int argc, char** argv);

#endif
