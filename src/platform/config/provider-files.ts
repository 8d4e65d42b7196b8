import { readFileSync } from "node:fs"
import { causeOf } from "../../kernel/process/file-problem.ts"
import { createPrivateKey, createPublicKey } from "node:crypto"
import { dirname, resolve } from "node:path"
import { type Json, parseJson } from "../../kernel/json.ts"
import { parseKeySet, type PublicKey } from "../../model/clients/key-set.rules.ts"
import type {
  ApplicationProvider,
  OpenIdProvider,
  Preset,
  ProviderSecret,
  SignInProvider,
} from "../../model/sign-in/provider.rules.ts"
import type { ApplicationEntry } from "./application-entry.ts"
import type { FileEntry, OpenIdEntry, ProviderEntry } from "./provider-entries.ts"
import type { FileProblem } from "./yaml-reader.ts"

const ICON_BYTES_AT_MOST = 64 * 1024

/** RFC 7518 §3.2: a key of HS256 is as long as its hash. */
const SHARED_SECRET_BYTES = 32

/** Reads the files that the entries name. Relative paths start at the directory of the configuration file. */
export function loadProvider(
  entry: ProviderEntry,
  file: string,
): { readonly provider: SignInProvider } | { readonly problem: FileProblem } {
  let now = { line: entry.line, member: "name", path: "" }
  const bytesOf = (of: FileEntry): Buffer => {
    now = of
    return readFileSync(resolve(dirname(file), of.path))
  }
  try {
    return { provider: entry.kind === "application" ? application(entry, bytesOf) : openId(entry, bytesOf) }
  } catch (error) {
    const problem = `sign_in_providers: ${entry.provider.name}: ${now.member}: ${now.path}: ${causeOf(error)}`
    return { problem: { line: now.line, problem } }
  }
}

type ReadFile = (file: FileEntry) => Buffer

function openId(entry: OpenIdEntry, bytesOf: ReadFile): OpenIdProvider {
  const { provider, secretFile, keyFile, iconFile } = entry
  const secret = secretFile === null ? null : textOf(bytesOf(secretFile))
  if (secret === "") throw new Error("the file is empty")
  const pem = keyFile === null ? null : checkedKey(bytesOf(keyFile).toString("utf8"), provider.preset)
  const icon = iconFile === null ? null : checkedIcon(bytesOf(iconFile))
  return { ...provider, secret: secretOf(secret, pem, entry), icon }
}

function application({ provider, keys }: ApplicationEntry, bytesOf: ReadFile): ApplicationProvider {
  if (keys.kind === "url") return { ...provider, keys }
  const text = textOf(bytesOf(keys.file))
  if (keys.kind === "file") return { ...provider, keys: { kind: "file", keys: publicKeys(text) } }
  const secret = Buffer.from(text)
  if (secret.length < SHARED_SECRET_BYTES)
    throw new Error(`expected a secret of at least ${SHARED_SECRET_BYTES} bytes`)
  return { ...provider, keys: { kind: "secret", secret } }
}

/** Reads a public key in PEM, or a JWK set. */
function publicKeys(text: string): readonly PublicKey[] {
  if (text.includes("PRIVATE KEY")) throw new Error("expected the public key; the private one stays there")
  const set = text.startsWith("{")
    ? parseJson(text)
    : new Map([["keys", [new Map(Object.entries(createPublicKey(text).export({ format: "jwk" })))]]])
  const keys = parseKeySet(set as Json | undefined)
  if (!keys.ok) throw new Error(keys.error)
  return keys.value
}

function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").trim()
}

function secretOf(secret: string | null, pem: string | null, { keyId, teamId }: OpenIdEntry): ProviderSecret {
  if (secret !== null) return { kind: "secret", secret }
  if (pem === null) return { kind: "none" }
  return teamId !== null && keyId !== null
    ? { kind: "apple", pem, keyId, teamId }
    : { kind: "key", pem, keyId }
}

function checkedKey(pem: string, preset: Preset | null): string {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(pem)
  const isP256 = type === "ec" && details?.namedCurve === "prime256v1"
  if (!isP256 && (preset === "apple" || (type !== "rsa" && type !== "ed25519")))
    throw new Error(
      preset === "apple"
        ? "expected an EC key on P-256"
        : "expected an RSA key, an Ed25519 key or an EC key on P-256",
    )
  return pem
}

function checkedIcon(bytes: Buffer): Uint8Array {
  if (bytes.length > ICON_BYTES_AT_MOST) throw new Error(`expected at most ${ICON_BYTES_AT_MOST / 1024} KiB`)
  if (bytes.subarray(0, 8).toString("latin1") !== "\x89PNG\r\n\x1a\n")
    throw new Error("expected a PNG picture")
  return bytes
}
