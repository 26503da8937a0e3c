// libcrypto as the Primitives target uses it.
//
// The SHA256_ functions are marked deprecated in OpenSSL 3, and remain the way to hash a short input
// without a context on the heap.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
