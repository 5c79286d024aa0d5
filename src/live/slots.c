/// live/slots.c: pages and nodes that are copied when they are first written to, and versions as roots.
#include "live/slots.h"
#include "base/alloc.h"
#include "base/bits.h"

#include <string.h>

/// A page with no more slots taken than this is half empty: it is open to records from elsewhere.
#define FEW (VNI_SLOT_PAGE / 2)
#define ALL ((1u << VNI_SLOT_PAGE) - 1)

#define NODE VNI_SLOT_ARRAYS

static size_t block_bytes(const vni_slot_store* store, uint32_t kind) {
    return kind == NODE ? sizeof(vni_slot_node)
                        : sizeof(vni_slot_page) + (size_t)VNI_SLOT_PAGE * store->strides[kind];
}

static uint32_t nodes_of(const vni_slots* slots) {
    return (slots->page_count + VNI_NODE_PAGES - 1) / VNI_NODE_PAGES;
}

static void enter(vni_slot_store* store) {
#if VOLNAV_THREADS
    vni_monitor_enter(store->monitor);
#else
    (void)store;
#endif
}

static void leave(vni_slot_store* store) {
#if VOLNAV_THREADS
    vni_monitor_leave(store->monitor);
#else
    (void)store;
#endif
}

// ---------- pages and nodes

static void push(vni_slot_head** list, vni_slot_head* head) {
    head->next = *list;
    *list = head;
}

static vni_slot_head* pop(vni_slot_head** list) {
    vni_slot_head* head = *list;
    if (head != NULL)
        *list = head->next;
    return head;
}

/// A page or node of the update, with nothing but a head; null if memory runs out.
static void* new_block(vni_slot_store* store, uint32_t kind) {
    vni_slot_head* head = pop(&store->spares[kind]);
    if (head == NULL) {
        head = (vni_slot_head*)vni_alloc(&store->allocator, 1, block_bytes(store, kind));
        if (head == NULL)
            return NULL;
        store->bytes += block_bytes(store, kind);
    }

    *head = (vni_slot_head){.from = store->building->serial, .kind = kind};
    push(&store->fresh, head);
    return head;
}

static void free_block(vni_slot_store* store, vni_slot_head* head) {
    const size_t bytes = block_bytes(store, head->kind);
    store->bytes -= bytes;
    vni_free(&store->allocator, head, 1, bytes);
}

/// A copy of a page or node of a version before, which takes its place.
static void* copy_block(vni_slot_store* store, vni_slot_head* old) {
    unsigned char* copy = (unsigned char*)new_block(store, old->kind);
    if (copy == NULL)
        return NULL;

    const size_t head = sizeof(vni_slot_head);
    memcpy(copy + head, (const unsigned char*)old + head, block_bytes(store, old->kind) - head);
    push(&store->replaced, old);
    return copy;
}

// ---------- making and freeing

vn_status vni_slot_store_make(const vn_allocator* allocator, const uint32_t* strides, uint32_t array_count,
                              vni_slot_store* out) {
    VNI_ASSERT(array_count >= 1 && array_count <= VNI_SLOT_ARRAYS);

    memset(out, 0, sizeof *out);
    out->allocator = *allocator;
    out->array_count = array_count;
    for (uint32_t i = 0; i < array_count; ++i) {
        VNI_ASSERT(strides[i] >= 4 && strides[i] % 4 == 0);
        out->strides[i] = strides[i];
    }

#if VOLNAV_THREADS
    out->monitor = vni_monitor_create(allocator);
    if (out->monitor == NULL)
        return VN_OUT_OF_MEMORY;
#endif

    return VN_OK;
}

static void free_versions(const vni_slot_store* store, vni_slot_version* first) {
    while (first != NULL) {
        vni_slot_version* version = first;
        first = version->next;
        for (uint32_t i = 0; i < store->array_count; ++i)
            VNI_DELETE_ARRAY(&store->allocator, version->arrays[i].nodes, version->arrays[i].node_capacity);
        VNI_DELETE(&store->allocator, version);
    }
}

static void free_newest(vni_slot_store* store) {
    for (uint32_t i = 0; store->newest != NULL && i < store->array_count; ++i) {
        const vni_slots* slots = &store->newest->arrays[i];
        for (uint32_t k = 0; k < slots->page_count; ++k)
            free_block(store, &slots->nodes[k / VNI_NODE_PAGES]->pages[k % VNI_NODE_PAGES]->head);
        for (uint32_t k = 0; k < nodes_of(slots); ++k)
            free_block(store, &slots->nodes[k]->head);
    }
}

static void free_list(vni_slot_store* store, vni_slot_head** list) {
    for (vni_slot_head* head = pop(list); head != NULL; head = pop(list))
        free_block(store, head);
}

void vni_slot_store_free(vni_slot_store* store) {
    if (store->array_count == 0)
        return;

    // each page and node is in the newest version, or held by an older one, or a spare one
    if (store->building != NULL)
        vni_slots_drop(store);
    free_newest(store);
    for (vni_slot_version* v = store->newest; v != NULL; v = v->next)
        free_list(store, &v->held);
    for (uint32_t kind = 0; kind <= NODE; ++kind)
        free_list(store, &store->spares[kind]);

    VNI_ASSERT(store->bytes == 0);
    free_versions(store, store->newest);
    free_versions(store, store->spare);
#if VOLNAV_THREADS
    if (store->monitor != NULL)
        vni_monitor_destroy(&store->allocator, store->monitor);
#endif
    memset(store, 0, sizeof *store);
}

size_t vni_slots_bytes(const vni_slot_store* store) {
    return (size_t)store->bytes;
}

// ---------- an update

static void put_aside(vni_slot_store* store, vni_slot_version* version) {
    enter(store);
    version->next = store->spare;
    store->spare = version;
    leave(store);
}

static vni_slot_version* take_spare(vni_slot_store* store) {
    enter(store);
    vni_slot_version* version = store->spare;
    if (version != NULL)
        store->spare = version->next;
    leave(store);
    return version != NULL ? version : VNI_NEW(&store->allocator, vni_slot_version);
}

/// Copies the roots of the newest version; `to` keeps its own memory.
static bool copy_roots(const vni_slot_store* store, vni_slot_version* to) {
    for (uint32_t i = 0; i < store->array_count; ++i) {
        vni_slots* slots = &to->arrays[i];
        vni_slot_node** nodes = slots->nodes;
        const uint64_t capacity = slots->node_capacity;
        *slots = (vni_slots){
            .nodes = nodes, .node_capacity = capacity, .open = VNI_NO_SLOT, .stride = store->strides[i]};
        if (store->newest == NULL)
            continue;

        const vni_slots* from = &store->newest->arrays[i];
        const uint32_t count = nodes_of(from);
        if (!vni_grow(&store->allocator, &slots->nodes, &slots->node_capacity, count, sizeof *nodes))
            return false;
        if (count > 0)
            memcpy(slots->nodes, from->nodes, count * sizeof *nodes);

        slots->page_count = from->page_count;
        slots->limit = from->limit;
        slots->live = from->live;
        slots->open = from->open;
    }

    return true;
}

bool vni_slots_begin(vni_slot_store* store) {
    VNI_ASSERT(store->building == NULL && store->fresh == NULL && store->replaced == NULL);
    vni_slot_version* version = take_spare(store);
    if (version == NULL)
        return false;

    version->serial = store->newest != NULL ? store->newest->serial + 1 : 1;
    version->pins = 0;
    if (!copy_roots(store, version)) {
        put_aside(store, version);
        return false;
    }

    store->building = version;
    return true;
}

/// A node of the update, to write to.
static vni_slot_node* write_node(vni_slot_store* store, vni_slots* slots, uint32_t page) {
    vni_slot_node** at = &slots->nodes[page / VNI_NODE_PAGES];
    if ((*at)->head.from == store->building->serial)
        return *at;
    vni_slot_node* copy = (vni_slot_node*)copy_block(store, &(*at)->head);
    if (copy != NULL)
        *at = copy;
    return copy;
}

/// A page of the update, to write to.
static vni_slot_page* write_page(vni_slot_store* store, uint32_t array, uint32_t page) {
    vni_slots* slots = &store->building->arrays[array];
    vni_slot_page* old = slots->nodes[page / VNI_NODE_PAGES]->pages[page % VNI_NODE_PAGES];
    if (old->head.from == store->building->serial)
        return old;

    vni_slot_node* node = write_node(store, slots, page);
    vni_slot_page* copy = node != NULL ? (vni_slot_page*)copy_block(store, &old->head) : NULL;
    if (copy != NULL)
        node->pages[page % VNI_NODE_PAGES] = copy;
    return copy;
}

static void* record_of(const vni_slot_store* store, uint32_t array, vni_slot_page* page, uint32_t index) {
    return (unsigned char*)page->records + (size_t)(index % VNI_SLOT_PAGE) * store->strides[array];
}

void* vni_slots_write(vni_slot_store* store, uint32_t array, uint32_t index) {
    VNI_ASSERT(index < store->building->arrays[array].limit);
    vni_slot_page* page = write_page(store, array, index / VNI_SLOT_PAGE);
    return page != NULL ? record_of(store, array, page, index) : NULL;
}

/// One more page at the end of an array, open; null if memory runs out.
static vni_slot_page* add_page(vni_slot_store* store, uint32_t array) {
    vni_slots* slots = &store->building->arrays[array];
    const uint32_t at = slots->page_count;
    if (at % VNI_NODE_PAGES == 0) {
        if (!vni_grow(&store->allocator, &slots->nodes, &slots->node_capacity, (uint64_t)nodes_of(slots) + 1,
                      sizeof *slots->nodes))
            return NULL;
        vni_slot_node* node = (vni_slot_node*)new_block(store, NODE);
        if (node == NULL)
            return NULL;
        memset(node->pages, 0, sizeof node->pages);
        slots->nodes[at / VNI_NODE_PAGES] = node;
    }

    vni_slot_node* node = write_node(store, slots, at);
    vni_slot_page* page = node != NULL ? (vni_slot_page*)new_block(store, array) : NULL;
    if (page == NULL)
        return NULL;

    // zeroed, so that copying a page that is not full reads no undefined bytes
    memset(page->records, 0, (size_t)VNI_SLOT_PAGE * slots->stride);
    page->used = 0;
    page->next = slots->open;
    page->is_open = 1;
    node->pages[at % VNI_NODE_PAGES] = page;
    slots->open = slots->page_count++;
    slots->limit += VNI_SLOT_PAGE;
    return page;
}

/// The page to take a slot from: `*at` gets its number.
static vni_slot_page* find_page(vni_slot_store* store, uint32_t array, uint32_t hint, uint32_t* at) {
    vni_slots* slots = &store->building->arrays[array];
    if (hint != VNI_NO_SLOT && vni_slots_page(slots, hint)->used != ALL) {
        *at = hint / VNI_SLOT_PAGE;
        return write_page(store, array, *at);
    }

    // pages that have become full leave the list
    while (slots->open != VNI_NO_SLOT) {
        vni_slot_page* page = write_page(store, array, slots->open);
        *at = slots->open;
        if (page == NULL || page->used != ALL)
            return page;
        slots->open = page->next;
        page->is_open = 0;
    }

    *at = slots->page_count;
    return add_page(store, array);
}

void* vni_slots_take(vni_slot_store* store, uint32_t array, uint32_t hint, uint32_t* index) {
    uint32_t at;
    vni_slot_page* page = find_page(store, array, hint, &at);
    if (page == NULL)
        return NULL;

    const uint32_t bit = vni_lowest_bit(~page->used);
    page->used |= 1u << bit;
    ++store->building->arrays[array].live;
    *index = at * VNI_SLOT_PAGE + bit;
    return record_of(store, array, page, *index);
}

bool vni_slots_give(vni_slot_store* store, uint32_t array, uint32_t index) {
    vni_slots* slots = &store->building->arrays[array];
    vni_slot_page* page = write_page(store, array, index / VNI_SLOT_PAGE);
    if (page == NULL)
        return false;

    VNI_ASSERT(page->used >> (index % VNI_SLOT_PAGE) & 1);
    page->used &= ~(1u << index % VNI_SLOT_PAGE);
    --slots->live;
    if (!page->is_open && vni_popcount(page->used) <= FEW) {
        page->is_open = 1;
        page->next = slots->open;
        slots->open = index / VNI_SLOT_PAGE;
    }

    return true;
}

void vni_slots_drop(vni_slot_store* store) {
    VNI_ASSERT(store->building != NULL);
    for (vni_slot_head* head = pop(&store->fresh); head != NULL; head = pop(&store->fresh))
        push(&store->spares[head->kind], head);

    put_aside(store, store->building);
    store->building = NULL;
    store->replaced = NULL; // they are where they were
}

// ---------- versions

/// Moves old versions without pins to the spare ones, and what they held to `*loose`. Monitor held.
static void set_aside(vni_slot_store* store, vni_slot_head** loose) {
    for (vni_slot_version** at = &store->newest->next; *at != NULL;) {
        vni_slot_version* version = *at;
        if (version->pins > 0) {
            at = &version->next;
            continue;
        }

        for (vni_slot_head* head = pop(&version->held); head != NULL; head = pop(&version->held))
            push(loose, head);
        *at = version->next;
        version->next = store->spare;
        store->spare = version;
    }
}

/// Gives what was replaced to a version that still has it, or to the spare ones. The versions are read
/// without the monitor: only this thread changes the list, and readers pin the newest one only.
static void settle(vni_slot_store* store, vni_slot_head* head) {
    for (vni_slot_version* v = store->newest->next; v != NULL; v = v->next)
        if (v->serial >= head->from && v->serial < head->until) {
            push(&v->held, head);
            return;
        }
    push(&store->spares[head->kind], head);
}

void vni_slots_publish(vni_slot_store* store, uint64_t number) {
    vni_slot_version* version = store->building;
    VNI_ASSERT(version != NULL && (store->newest == NULL || number > store->newest->number));

    version->number = number;
    store->building = NULL;
    store->fresh = NULL;
    for (vni_slot_head* head = store->replaced; head != NULL; head = head->next)
        head->until = version->serial;

    vni_slot_head* loose = NULL;
    enter(store);
    version->next = store->newest;
    store->newest = version;
    set_aside(store, &loose);
    leave(store);

    for (vni_slot_head* head = pop(&loose); head != NULL; head = pop(&loose))
        settle(store, head);
    for (vni_slot_head* head = pop(&store->replaced); head != NULL; head = pop(&store->replaced))
        settle(store, head);
}

const vni_slot_version* vni_slots_pin(vni_slot_store* store) {
    enter(store);
    vni_slot_version* version = store->newest;
    if (version != NULL)
        ++version->pins;
    leave(store);
    return version;
}

/// The version of the store that the reader's pointer means: readers may not write it. Inside.
static vni_slot_version* find_pinned(vni_slot_store* store, const vni_slot_version* version) {
    vni_slot_version* at = store->newest;
    while (at != NULL && at != version)
        at = at->next;
    VNI_ASSERT(at != NULL && at->pins > 0);
    return at;
}

const vni_slot_version* vni_slots_pin_again(vni_slot_store* store, const vni_slot_version* version) {
    enter(store);
    vni_slot_version* at = find_pinned(store, version);
    if (at != NULL)
        ++at->pins;
    leave(store);
    return at;
}

void vni_slots_unpin(vni_slot_store* store, const vni_slot_version* version) {
    enter(store);
    vni_slot_version* at = find_pinned(store, version);
    if (at != NULL)
        --at->pins;

    leave(store);
}
