/** The grammar of `scope`, RFC 6749 appendix A.4: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ), space-separated. */

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

export function isScopeToken(text: string): boolean {
  return SCOPE_TOKEN.test(text)
}

export function isScope(text: string): boolean {
  return SCOPE.test(text)
}
