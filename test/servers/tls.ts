// A server that speaks HTTPS with a certificate of its own making, which only a test that wants to will trust.
import type { RequestListener } from "node:http"
import { createServer } from "node:https"
import type { Listening } from "./listen.ts"
import { listen } from "./listen.ts"

/** For localhost, secure.test and 127.0.0.1, valid for a hundred years; its key is public and protects nothing. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBpzCCAU6gAwIBAgIUPZqAJM53coG7GIEp37XEmQTlhLMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjAwMjE0OFoYDzIxMjYxMDIz
MDAyMTQ4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQBxK90+y3kE7mnyxg4AOwAlTf3icp2AqC7LAPRXSJWkRGILlYjzPai
JsSybSg3tn+TlF6H8ncEgGCsJ6hCv8oOo3wwejAdBgNVHQ4EFgQUHrxykmnYwLMg
3oADPvnFa2q3zC0wHwYDVR0jBBgwFoAUHrxykmnYwLMg3oADPvnFa2q3zC0wDwYD
VR0TAQH/BAUwAwEB/zAnBgNVHREEIDAegglsb2NhbGhvc3SCC3NlY3VyZS50ZXN0
hwR/AAABMAoGCCqGSM49BAMCA0cAMEQCIAGX9Q/0YEdmAVdVycyerAkthC+JpJON
VXVuGGw7bHbSAiAst6h4W+ShqqQ92L9dzxqLg9kg69O9dNR5Qr9/f0i6cg==
-----END CERTIFICATE-----
`

const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBpgmX7yMhw2HyWlq
0f1skN5LK/SwXXRR9C5UHGZwZYqhRANCAAQBxK90+y3kE7mnyxg4AOwAlTf3icp2
AqC7LAPRXSJWkRGILlYjzPaiJsSybSg3tn+TlF6H8ncEgGCsJ6hCv8oO
-----END PRIVATE KEY-----
`

export const startTls = (answer: RequestListener): Promise<Listening> =>
  listen(createServer({ key: testKey, cert: testCertificate }, answer), "https")
