// What CCrypto gives to Swift.
#include <openssl/evp.h>
