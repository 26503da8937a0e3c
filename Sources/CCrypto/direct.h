// SHA-256 and access to ciphers without libcrypto's algorithm look-up.
//
// At the first use, libcrypto 3 builds a table of all its algorithms. Building the table takes longer than
// all other work for one message. Every later look-up takes longer than hashing a short input. The
// functions in this file do not use the table. They perform the computations with the same libcrypto code.
//
// The tools call functions that are deprecated in OpenSSL 3 only in this file. A libcrypto may have been
// built without these functions (OPENSSL_NO_DEPRECATED). For this case, the file contains a second
// implementation, which is slower and has the same results.
#pragma once

#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdlib.h>

// A running SHA-256 hash (FIPS 180-4). Its state may depend on a key.
typedef struct crypto_hash crypto_hash;

#if !defined(OPENSSL_NO_DEPRECATED) && !defined(OPENSSL_NO_DEPRECATED_3_0)

// Returns NULL if there is not enough memory.
static inline crypto_hash *crypto_hash_new(void) {
    return (crypto_hash *)calloc(1, sizeof(SHA256_CTX));
}

// Overwrites the state and frees it.
static inline void crypto_hash_free(crypto_hash *hash) {
    OPENSSL_cleanse(hash, sizeof(SHA256_CTX));
    free(hash);
}

// Starts a new hash, and overwrites the previous state.
static inline void crypto_hash_begin(crypto_hash *hash) { SHA256_Init((SHA256_CTX *)hash); }

static inline void crypto_hash_update(crypto_hash *hash, const void *bytes, size_t count) {
    SHA256_Update((SHA256_CTX *)hash, bytes, count);
}

// Writes the 32-byte digest.
static inline void crypto_hash_end(crypto_hash *hash, uint8_t *digest) {
    SHA256_Final(digest, (SHA256_CTX *)hash);
}

// Replaces the state of `hash` with a copy of the state of `other`.
static inline void crypto_hash_copy(crypto_hash *hash, const crypto_hash *other) {
    *(SHA256_CTX *)hash = *(const SHA256_CTX *)other;
}

// Returns a copy of a cipher that is built into libcrypto. libcrypto looks up built-in ciphers in its
// tables, but uses a copy without a look-up.
static inline const EVP_CIPHER *crypto_without_lookup(const EVP_CIPHER *cipher) {
#if OPENSSL_VERSION_MAJOR < 4
    EVP_CIPHER *own = EVP_CIPHER_meth_new(EVP_CIPHER_get_nid(cipher),
        EVP_CIPHER_get_block_size(cipher), EVP_CIPHER_get_key_length(cipher));
    if (own && EVP_CIPHER_meth_set_iv_length(own, EVP_CIPHER_get_iv_length(cipher))
        && EVP_CIPHER_meth_set_flags(own, EVP_CIPHER_get_flags(cipher))
        && EVP_CIPHER_meth_set_impl_ctx_size(own, EVP_CIPHER_impl_ctx_size(cipher))
        && EVP_CIPHER_meth_set_init(own, EVP_CIPHER_meth_get_init(cipher))
        && EVP_CIPHER_meth_set_do_cipher(own, EVP_CIPHER_meth_get_do_cipher(cipher))
        && EVP_CIPHER_meth_set_cleanup(own, EVP_CIPHER_meth_get_cleanup(cipher))
        && EVP_CIPHER_meth_set_ctrl(own, EVP_CIPHER_meth_get_ctrl(cipher)))
        return own;
    EVP_CIPHER_meth_free(own);
#endif
    return cipher;
}

#else

// Ends the process if libcrypto reports that a SHA-256 function failed. No tool can work without SHA-256.
static inline void crypto_require(int done) {
    if (!done) abort();
}

static inline crypto_hash *crypto_hash_new(void) { return (crypto_hash *)EVP_MD_CTX_new(); }

static inline void crypto_hash_free(crypto_hash *hash) { EVP_MD_CTX_free((EVP_MD_CTX *)hash); }

static inline void crypto_hash_begin(crypto_hash *hash) {
    crypto_require(EVP_DigestInit_ex((EVP_MD_CTX *)hash, EVP_sha256(), NULL));
}

static inline void crypto_hash_update(crypto_hash *hash, const void *bytes, size_t count) {
    crypto_require(EVP_DigestUpdate((EVP_MD_CTX *)hash, bytes, count));
}

static inline void crypto_hash_end(crypto_hash *hash, uint8_t *digest) {
    crypto_require(EVP_DigestFinal_ex((EVP_MD_CTX *)hash, digest, NULL));
}

static inline void crypto_hash_copy(crypto_hash *hash, const crypto_hash *other) {
    crypto_require(EVP_MD_CTX_copy_ex((EVP_MD_CTX *)hash, (const EVP_MD_CTX *)other));
}

static inline const EVP_CIPHER *crypto_without_lookup(const EVP_CIPHER *cipher) { return cipher; }

#endif
