/** The part of docs/clients.md about oidc-client-ts, put to use on a page. `oidc` is the library's own bundle. */
const { base, clientId } = document.currentScript.dataset

const users = new oidc.UserManager({
  authority: base,
  client_id: clientId,
  redirect_uri: `${location.origin}/callback`,
  scope: "openid profile email",
  loadUserInfo: true,
})

globalThis.users = users
