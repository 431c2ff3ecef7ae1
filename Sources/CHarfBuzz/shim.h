// What CHarfBuzz gives to Swift.
#include <hb-ot.h>
#include <hb.h>
#include <hb-ot.h>
