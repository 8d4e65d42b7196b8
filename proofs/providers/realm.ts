/** The realm of the proof: a client, groups in the ID token, and people. */
export const SECRET = "a secret of the realm's client"
export const PASSWORD_THERE = "a password at Keycloak"

export function realmWith(redirectUri: string): object {
  return {
    realm: "staff",
    enabled: true,
    clients: [
      {
        clientId: "latchkey",
        secret: SECRET,
        enabled: true,
        publicClient: false,
        standardFlowEnabled: true,
        redirectUris: [redirectUri],
        attributes: { "pkce.code.challenge.method": "S256" },
        protocolMappers: [
          {
            name: "groups",
            protocol: "openid-connect",
            protocolMapper: "oidc-group-membership-mapper",
            config: { "full.path": "false", "id.token.claim": "true", "claim.name": "groups" },
          },
        ],
      },
    ],
    groups: [{ name: "admins" }, { name: "analysts" }],
    users: [person("ada", true, ["/admins", "/analysts"]), person("grace", true), person("eve", false)],
  }
}

function person(username: string, emailVerified: boolean, groups: readonly string[] = []): object {
  return {
    username,
    emailVerified,
    groups,
    enabled: true,
    email: `${username}@example.org`,
    firstName: username,
    lastName: "Example",
    credentials: [{ type: "password", value: PASSWORD_THERE, temporary: false }],
  }
}
