// What CZlib gives to Swift.
#include <zlib.h>
