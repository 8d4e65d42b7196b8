/** SHA-256 of a token: what answers are kept under, so that a dump of the memory of an API holds no token for long. */

type Digest = (text: string) => string | Promise<string>

/** The parts of Node that are asked for here; other runtimes have them or not. */
type NodeCrypto = {
  readonly createHash: (name: string) => {
    readonly update: (text: string) => { readonly digest: (encoding: "base64url") => string }
  }
}
type Runtime = { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }

/** At once where the runtime can; elsewhere what every fetch runtime has, which answers later. */
export const digest: Digest = synchronous() ?? subtle

function synchronous(): Digest | null {
  const node = (globalThis as Runtime).process?.getBuiltinModule?.("node:crypto") as NodeCrypto | undefined
  return node === undefined ? null : (text) => node.createHash("sha256").update(text).digest("base64url")
}

async function subtle(text: string): Promise<string> {
  const bytes = await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
