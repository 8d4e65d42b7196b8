/**
 * Computes the SHA-256 of a token. The cache uses it as the key, so that the memory of an API contains tokens only
 * briefly.
 */

type Digest = (text: string) => string | Promise<string>

/** The part of `node:crypto` that is used. Other runtimes may lack this module. */
type NodeCrypto = {
  readonly createHash: (name: string) => {
    readonly update: (text: string) => { readonly digest: (encoding: "base64url") => string }
  }
}
type Runtime = { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }

/** The function is synchronous on Node. On other runtimes it uses Web Crypto, which is asynchronous. */
export const digest: Digest = synchronous() ?? subtle

function synchronous(): Digest | null {
  const node = (globalThis as Runtime).process?.getBuiltinModule?.("node:crypto") as NodeCrypto | undefined
  return node === undefined ? null : (text) => node.createHash("sha256").update(text).digest("base64url")
}

async function subtle(text: string): Promise<string> {
  const bytes = await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
