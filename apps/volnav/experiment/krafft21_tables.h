/// volnav/experiment/krafft21_tables.h: the tables on the page of "krafft-2021".
#ifndef EXPERIMENT_KRAFFT21_TABLES_H
#define EXPERIMENT_KRAFFT21_TABLES_H

#include "experiment/krafft21.h"

/// Repair against search where everything moves: who wins, and the peaks.
void krafft21_write_in_short(page* p, const krafft21_run* run);

/// All contenders of a scenario: step by step, and in real time.
void krafft21_write_table(page* p, const krafft21_run* run, int scenario);
void krafft21_write_live_table(page* p, const krafft21_run* run, int scenario);

/// The numbers of the thesis's text beside ours.
void krafft21_write_thesis(page* p, const krafft21_run* run);

#endif
