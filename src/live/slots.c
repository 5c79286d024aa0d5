/// live/slots.c: pages that are copied when they are first written to, and versions as tables of them.
#include "live/slots.h"
#include "base/alloc.h"

#include <string.h>

static size_t page_bytes(uint32_t stride) {
    return sizeof(vni_slot_page) + (size_t)VNI_SLOT_PAGE * stride;
}

static uint32_t pages_of(const vni_slots* slots) {
    return (slots->limit + VNI_SLOT_PAGE - 1) / VNI_SLOT_PAGE;
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

static void free_page(const vni_slot_store* store, vni_slot_page* page, uint32_t stride) {
    vni_free(&store->allocator, page, 1, page_bytes(stride));
}

static void free_version(const vni_slot_store* store, vni_slot_version* version) {
    for (uint32_t i = 0; i < store->array_count; ++i)
        VNI_DELETE_ARRAY(&store->allocator, version->arrays[i].pages, version->arrays[i].page_capacity);
    VNI_DELETE(&store->allocator, version);
}

static void free_versions(const vni_slot_store* store, vni_slot_version* first) {
    while (first != NULL) {
        vni_slot_version* version = first;
        first = version->next;
        free_version(store, version);
    }
}

void vni_slot_store_free(vni_slot_store* store) {
    if (store->array_count == 0)
        return;

    // each page is in the tables of the newest version, or retired
    if (store->building != NULL)
        vni_slots_drop(store);
    for (uint32_t i = 0; store->newest != NULL && i < store->array_count; ++i)
        for (uint32_t k = 0; k < pages_of(&store->newest->arrays[i]); ++k)
            free_page(store, store->newest->arrays[i].pages[k], store->strides[i]);

    for (uint32_t i = 0; i < store->retired_count; ++i)
        free_page(store, store->retired[i].page, store->retired[i].stride);

    free_versions(store, store->newest);
    free_versions(store, store->spare);
    VNI_DELETE_ARRAY(&store->allocator, store->fresh, store->fresh_capacity);
    VNI_DELETE_ARRAY(&store->allocator, store->retired, store->retired_capacity);
#if VOLNAV_THREADS
    if (store->monitor != NULL)
        vni_monitor_destroy(&store->allocator, store->monitor);
#endif
    memset(store, 0, sizeof *store);
}

size_t vni_slots_bytes(const vni_slot_store* store) {
    size_t bytes = store->fresh_capacity * sizeof *store->fresh;
    bytes += store->retired_capacity * sizeof *store->retired;
    for (uint32_t i = 0; i < store->retired_count; ++i)
        bytes += page_bytes(store->retired[i].stride);

    for (uint32_t i = 0; store->newest != NULL && i < store->array_count; ++i) {
        const vni_slots* slots = &store->newest->arrays[i];
        bytes += pages_of(slots) * page_bytes(slots->stride);
        for (const vni_slot_version* v = store->newest; v != NULL; v = v->next)
            bytes += v->arrays[i].page_capacity * sizeof *slots->pages;
    }

    return bytes;
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

/// Copies the tables of the newest version; `to` keeps its own memory.
static bool copy_tables(const vni_slot_store* store, vni_slot_version* to) {
    for (uint32_t i = 0; i < store->array_count; ++i) {
        vni_slots* slots = &to->arrays[i];
        vni_slot_page** pages = slots->pages;
        uint64_t capacity = slots->page_capacity;
        *slots = (vni_slots){
            .pages = pages, .page_capacity = capacity, .free = VNI_NO_SLOT, .stride = store->strides[i]};
        if (store->newest == NULL)
            continue;

        const vni_slots* from = &store->newest->arrays[i];
        const uint32_t count = pages_of(from);
        if (!vni_grow(&store->allocator, &slots->pages, &slots->page_capacity, count, sizeof *pages))
            return false;
        if (count > 0)
            memcpy(slots->pages, from->pages, count * sizeof *pages);

        slots->limit = from->limit;
        slots->live = from->live;
        slots->free = from->free;
    }

    return true;
}

bool vni_slots_begin(vni_slot_store* store) {
    VNI_ASSERT(store->building == NULL && store->fresh_count == 0 && store->replaced_count == 0);
    vni_slot_version* version = take_spare(store);
    if (version == NULL)
        return false;

    version->serial = store->newest != NULL ? store->newest->serial + 1 : 1;
    version->pins = 0;
    if (!copy_tables(store, version)) {
        put_aside(store, version);
        return false;
    }

    store->building = version;
    return true;
}

/// A new page of the update, not initialised.
static vni_slot_page* new_page(vni_slot_store* store, uint32_t array) {
    const uint32_t stride = store->strides[array];
    if (!vni_grow(&store->allocator, &store->fresh, &store->fresh_capacity, (uint64_t)store->fresh_count + 1,
                  sizeof *store->fresh))
        return NULL;

    vni_slot_page* page = (vni_slot_page*)vni_alloc(&store->allocator, 1, page_bytes(stride));
    if (page == NULL)
        return NULL;

    page->from = store->building->serial;
    store->fresh[store->fresh_count++] = (vni_slot_retired){.page = page, .stride = stride};
    return page;
}

void* vni_slots_write(vni_slot_store* store, uint32_t array, uint32_t index) {
    vni_slots* slots = &store->building->arrays[array];
    VNI_ASSERT(index < slots->limit);

    vni_slot_page** at = &slots->pages[index / VNI_SLOT_PAGE];
    if ((*at)->from != store->building->serial) {
        if (!vni_grow(&store->allocator, &store->retired, &store->retired_capacity,
                      (uint64_t)store->retired_count + store->replaced_count + 1, sizeof *store->retired))
            return NULL;
        vni_slot_page* page = new_page(store, array);
        if (page == NULL)
            return NULL;

        memcpy(page->records, (*at)->records, (size_t)VNI_SLOT_PAGE * slots->stride);
        store->retired[store->retired_count + store->replaced_count++] =
            (vni_slot_retired){.page = *at, .stride = slots->stride, .until = store->building->serial};
        *at = page;
    }

    return (unsigned char*)(*at)->records + (size_t)(index % VNI_SLOT_PAGE) * slots->stride;
}

/// One more page at the end of an array.
static bool add_page(vni_slot_store* store, uint32_t array) {
    vni_slots* slots = &store->building->arrays[array];
    const uint32_t count = pages_of(slots);
    if (!vni_grow(&store->allocator, &slots->pages, &slots->page_capacity, (uint64_t)count + 1,
                  sizeof *slots->pages))
        return false;
    vni_slot_page* page = new_page(store, array);
    if (page == NULL)
        return false;

    // zeroed, so that copying a page that is not full yet reads no undefined bytes
    memset(page->records, 0, (size_t)VNI_SLOT_PAGE * slots->stride);
    slots->pages[count] = page;
    return true;
}

void* vni_slots_take(vni_slot_store* store, uint32_t array, uint32_t* index) {
    vni_slots* slots = &store->building->arrays[array];
    const uint32_t slot = slots->free != VNI_NO_SLOT ? slots->free : slots->limit;
    if (slot == slots->limit) {
        if (slot % VNI_SLOT_PAGE == 0 && !add_page(store, array))
            return NULL;
        ++slots->limit;
    }

    unsigned char* record = (unsigned char*)vni_slots_write(store, array, slot);
    if (record == NULL)
        return NULL;
    if (slot == slots->free)
        memcpy(&slots->free, record, sizeof slots->free);

    ++slots->live;
    *index = slot;
    return record;
}

bool vni_slots_give(vni_slot_store* store, uint32_t array, uint32_t index) {
    vni_slots* slots = &store->building->arrays[array];
    void* record = vni_slots_write(store, array, index);
    if (record == NULL)
        return false;

    VNI_ASSERT(slots->live > 0);
    memcpy(record, &slots->free, sizeof slots->free);
    slots->free = index;
    --slots->live;
    return true;
}

void vni_slots_drop(vni_slot_store* store) {
    VNI_ASSERT(store->building != NULL);
    for (uint32_t i = 0; i < store->fresh_count; ++i)
        free_page(store, store->fresh[i].page, store->fresh[i].stride);

    put_aside(store, store->building);
    store->building = NULL;
    store->fresh_count = store->replaced_count = 0;
}

// ---------- versions

/// Moves old versions without pins to the spare ones. Monitor held.
static void set_aside(vni_slot_store* store) {
    for (vni_slot_version** at = &store->newest->next; *at != NULL;) {
        vni_slot_version* version = *at;
        if (version->pins > 0) {
            at = &version->next;
            continue;
        }

        *at = version->next;
        version->next = store->spare;
        store->spare = version;
    }
}

static bool is_held(const vni_slot_store* store, const vni_slot_retired* r) {
    for (const vni_slot_version* v = store->newest; v != NULL; v = v->next)
        if (v->serial >= r->page->from && v->serial < r->until)
            return true;
    return false;
}

/// Frees retired pages that no version has. The list of versions is read without the monitor: only this
/// thread changes it, and readers pin the newest one only.
static void sweep(vni_slot_store* store) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < store->retired_count; ++i) {
        if (is_held(store, &store->retired[i]))
            store->retired[kept++] = store->retired[i];
        else
            free_page(store, store->retired[i].page, store->retired[i].stride);
    }

    store->retired_count = kept;
}

void vni_slots_publish(vni_slot_store* store, uint64_t number) {
    vni_slot_version* version = store->building;
    VNI_ASSERT(version != NULL && (store->newest == NULL || number > store->newest->number));

    version->number = number;
    store->building = NULL;
    store->retired_count += store->replaced_count;
    store->fresh_count = store->replaced_count = 0;

    enter(store);
    version->next = store->newest;
    store->newest = version;
    set_aside(store);
    leave(store);

    sweep(store);
}

const vni_slot_version* vni_slots_pin(vni_slot_store* store) {
    enter(store);
    vni_slot_version* version = store->newest;
    if (version != NULL)
        ++version->pins;
    leave(store);
    return version;
}

void vni_slots_unpin(vni_slot_store* store, const vni_slot_version* version) {
    enter(store);
    vni_slot_version* at = store->newest;
    while (at != NULL && at != version)
        at = at->next;

    VNI_ASSERT(at != NULL && at->pins > 0);
    if (at != NULL)
        --at->pins;

    leave(store);
}
