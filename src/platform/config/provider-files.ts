import { readFileSync } from "node:fs"
import { causeOf } from "../../kernel/process/file-problem.ts"
import { createPrivateKey } from "node:crypto"
import { dirname, resolve } from "node:path"
import type { Preset, ProviderSecret, SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { FileEntry, ProviderEntry } from "./provider-entries.ts"
import type { FileProblem } from "./yaml-reader.ts"

const ICON_BYTES_AT_MOST = 64 * 1024

/** Reads the files that the entries name. Relative paths start at the directory of the configuration file. */
export function loadProvider(
  entry: ProviderEntry,
  file: string,
): { readonly provider: SignInProvider } | { readonly problem: FileProblem } {
  const { provider, line, secretFile, keyFile, keyId, teamId, iconFile } = entry
  let now = { line, member: "name", path: "" }
  const bytesOf = (of: FileEntry): Buffer => {
    now = of
    return readFileSync(resolve(dirname(file), of.path))
  }
  try {
    const secret = secretFile === null ? null : bytesOf(secretFile).toString("utf8").trim()
    if (secret === "") throw new Error("the file is empty")
    const pem = keyFile === null ? null : checkedKey(bytesOf(keyFile).toString("utf8"), provider.preset)
    const icon = iconFile === null ? null : checkedIcon(bytesOf(iconFile))
    return { provider: { ...provider, secret: secretOf({ secret, pem, keyId, teamId }), icon } }
  } catch (error) {
    const problem = `sign_in_providers: ${provider.name}: ${now.member}: ${now.path}: ${causeOf(error)}`
    return { problem: { line: now.line, problem } }
  }
}

function secretOf(of: {
  readonly secret: string | null
  readonly pem: string | null
  readonly keyId: string | null
  readonly teamId: string | null
}): ProviderSecret {
  const { secret, pem, keyId, teamId } = of
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
