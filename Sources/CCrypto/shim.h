// libcrypto as the Crypto target uses it.
#pragma once

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "direct.h"
