/// tests/support/cmocka_all.h: cmocka with the headers that it wants before itself.
#ifndef VNT_CMOCKA_ALL_H
#define VNT_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
