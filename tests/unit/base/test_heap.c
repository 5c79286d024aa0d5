/// The heap against a sorted array: random pushes, pops, updates and removals, with many equal keys and ties.
#include "base/heap.h"
#include "base/rng.h"
#include "support.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>

#define CAPACITY 300
#define SLOTS    400

/// A record as a search has it, with the position somewhere inside.
typedef struct record {
    double other;
    uint32_t position;
    uint32_t more;
} record;

typedef struct fixture {
    vni_heap_entry memory[CAPACITY];
    record records[SLOTS];
    vni_heap heap;
    vni_heap_entry sorted[CAPACITY]; ///< what is in the heap, least first
    uint32_t count;
    bool inside[SLOTS];
} fixture;

static fixture* fresh_fixture(void) {
    static fixture f;
    memset(&f, 0, sizeof f);
    f.heap = (vni_heap){.entries = f.memory,
                        .capacity = CAPACITY,
                        .positions = (unsigned char*)&f.records[0].position,
                        .stride = sizeof(record)};

    return &f;
}

/// Written out anew, so that a mistake in the heap's own comparison is seen.
static bool comes_before(const vni_heap_entry* a, const vni_heap_entry* b) {
    if (a->key < b->key)
        return true;
    if (a->key > b->key)
        return false;
    if (a->tie < b->tie)
        return true;
    if (a->tie > b->tie)
        return false;

    return a->id < b->id;
}

static void model_insert(fixture* f, vni_heap_entry entry) {
    uint32_t at = f->count++;
    for (; at > 0 && comes_before(&entry, &f->sorted[at - 1]); --at)
        f->sorted[at] = f->sorted[at - 1];
    f->sorted[at] = entry;
    f->inside[entry.slot] = true;
}

static vni_heap_entry model_take(fixture* f, uint32_t at) {
    vni_heap_entry entry = f->sorted[at];
    memmove(&f->sorted[at], &f->sorted[at + 1], (--f->count - at) * sizeof entry);
    f->inside[entry.slot] = false;
    return entry;
}

static void check_same(const vni_heap_entry* a, const vni_heap_entry* b) {
    assert_true(a->key == b->key);
    assert_true(a->tie == b->tie);
    assert_int_equal(a->id, b->id);
    assert_int_equal(a->slot, b->slot);
}

static void check_heap(const fixture* f) {
    assert_int_equal(f->heap.count, f->count);
    assert_true(vni_heap_is_valid(&f->heap));
    for (uint32_t i = 0; i < f->count; ++i) {
        uint32_t position = f->records[f->sorted[i].slot].position;
        assert_true(position < f->count);
        check_same(&f->heap.entries[position], &f->sorted[i]);
    }
}

/// Few different values, so that ties and ids decide often. Different entries have different ids.
static vni_heap_entry random_entry(vni_rng* rng, uint32_t slot) {
    return (vni_heap_entry){.key = vni_rng_below(rng, 12) / 4.0,
                            .tie = vni_rng_below(rng, 3),
                            .id = slot * 2654435761u,
                            .slot = slot};
}

static void push_random(fixture* f, vni_rng* rng) {
    uint32_t slot = vni_rng_below(rng, SLOTS);
    while (f->inside[slot])
        slot = (slot + 1) % SLOTS;

    vni_heap_entry entry = random_entry(rng, slot);
    bool fits = f->count < CAPACITY;
    assert_int_equal(vni_heap_push(&f->heap, entry), fits);
    if (fits)
        model_insert(f, entry);
}

static void pop_one(fixture* f) {
    vni_heap_entry expected = model_take(f, 0), popped = vni_heap_pop(&f->heap);
    check_same(&popped, &expected);
}

static void update_random(fixture* f, vni_rng* rng) {
    vni_heap_entry old = model_take(f, vni_rng_below(rng, f->count));
    vni_heap_entry entry = random_entry(rng, old.slot);
    vni_heap_update(&f->heap, f->records[old.slot].position, entry.key, entry.tie);
    model_insert(f, entry);
}

static void remove_random(fixture* f, vni_rng* rng) {
    vni_heap_entry old = model_take(f, vni_rng_below(rng, f->count));
    vni_heap_remove(&f->heap, f->records[old.slot].position);
}

static void heap_equals_a_sorted_array(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("heap", 71));
    fixture* f = fresh_fixture();
    uint32_t steps = vnt_scale(20000, 500000);
    for (uint32_t step = 0; step < steps; ++step) {
        uint32_t pushes = step / 1000 % 2 == 0 ? 6 : 2; // fills up, then runs empty
        uint32_t choice = vni_rng_below(&rng, 10);
        if (f->count == 0 || choice < pushes)
            push_random(f, &rng);
        else if (choice < pushes + 1)
            update_random(f, &rng);
        else if (choice < pushes + 2)
            remove_random(f, &rng);
        else if (f->count > 0)
            pop_one(f);

        if (step % 16 == 0)
            check_heap(f);
    }

    while (f->count > 0) {
        pop_one(f);
        check_heap(f);
    }
}

static void order_of_pops_ignores_order_of_pushes(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("heap/order", 72));
    vni_heap_entry entries[CAPACITY];
    for (uint32_t i = 0; i < CAPACITY; ++i)
        entries[i] = random_entry(&rng, i);

    uint32_t first_order[CAPACITY];
    for (int round = 0; round < 10; ++round) {
        fixture* f = fresh_fixture();
        for (uint32_t i = CAPACITY - 1; i > 0; --i) {
            uint32_t k = vni_rng_below(&rng, i + 1);
            vni_heap_entry swap = entries[i];
            entries[i] = entries[k];
            entries[k] = swap;
        }

        for (uint32_t i = 0; i < CAPACITY; ++i)
            assert_true(vni_heap_push(&f->heap, entries[i]));

        assert_false(vni_heap_push(&f->heap, random_entry(&rng, CAPACITY)));
        for (uint32_t i = 0; i < CAPACITY; ++i) {
            uint32_t id = vni_heap_pop(&f->heap).id;
            if (round == 0)
                first_order[i] = id;
            assert_int_equal(id, first_order[i]);
        }
    }
}

static void the_order_is_total(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("heap/total", 73));
    for (int i = 0; i < 20000; ++i) {
        vni_heap_entry e[3];
        for (uint32_t k = 0; k < 3; ++k)
            e[k] = random_entry(&rng, vni_rng_below(&rng, 4));

        bool same = !comes_before(&e[0], &e[1]) && !comes_before(&e[1], &e[0]);
        assert_int_equal(vni_heap_less(&e[0], &e[1]), comes_before(&e[0], &e[1]));
        if (same) {
            assert_false(vni_heap_less(&e[0], &e[1]));
            assert_false(vni_heap_less(&e[1], &e[0]));
        } else
            assert_true(vni_heap_less(&e[0], &e[1]) != vni_heap_less(&e[1], &e[0]));

        if (vni_heap_less(&e[0], &e[1]) && vni_heap_less(&e[1], &e[2]))
            assert_true(vni_heap_less(&e[0], &e[2]));
    }
}

static void the_validator_sees_damage(void** state) {
    (void)state;
    vni_rng rng = vni_rng_make(vnt_seed("heap/damage", 74));
    fixture* f = fresh_fixture();
    assert_true(vni_heap_is_valid(&f->heap));
    for (int i = 0; i < 50; ++i)
        push_random(f, &rng);

    assert_true(vni_heap_is_valid(&f->heap));

    uint32_t slot = f->heap.entries[17].slot;
    f->records[slot].position = 18;
    assert_false(vni_heap_is_valid(&f->heap));
    f->records[slot].position = 17;
    assert_true(vni_heap_is_valid(&f->heap));

    f->heap.entries[49].key = -1;
    assert_false(vni_heap_is_valid(&f->heap));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap_equals_a_sorted_array),
        cmocka_unit_test(order_of_pops_ignores_order_of_pushes),
        cmocka_unit_test(the_order_is_total),
        cmocka_unit_test(the_validator_sees_damage),
    };

    return cmocka_run_group_tests_name("base/heap", tests, NULL, NULL);
}
