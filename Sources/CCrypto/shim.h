// The declarations of libcrypto for the Crypto target.
#pragma once

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "direct.h"
