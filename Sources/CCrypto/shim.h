// libcrypto as the Crypto target uses it.
//
// The SHA256_ functions are marked deprecated in OpenSSL 3, and remain the way to hash a short input
// without a context on the heap.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

// One of libcrypto's built-in ciphers, copied so that it is used as it stands. Where a cipher is not
// one's own, libcrypto first looks it up in a table that it makes of all algorithms it has, which takes
// longer than everything else for one message. The same code runs either way.
static inline const EVP_CIPHER *crypto_direct(const EVP_CIPHER *cipher) {
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
