/** Describes the operations as an OpenAPI 3.1 document. The RFC 8414 metadata describe the OAuth endpoints. */
import { builtInPermissions } from "../../model/permissions/built-in-permissions.rules.ts"
import { apiStatuses } from "../../platform/http/api-error.ts"
import type { Operation } from "./operation.ts"
import {
  choice,
  type JsonSchema,
  record,
  schemaOf,
  type Shape,
  text,
  integer,
} from "../../platform/json/shape.rules.ts"

const SCHEME = "latchkey"

const error = record("Error", {
  error: record(null, {
    code: integer("The HTTP status.", 404),
    status: choice("The kind of error.", Object.keys(apiStatuses) as (keyof typeof apiStatuses)[]),
    message: text("For developers. The text may change.", "There is no such app."),
  }),
})

const INTRODUCTION =
  `The management API of the service, for apps of account holders and administrators. Send an access token
with every request: \`Authorization: Bearer\`.

Each operation lists the permissions that it needs. Some also need elevation (\`x-elevation\`), which is a recent second
factor. Without it they answer 400 \`FAILED_PRECONDITION\` with \`Service-Elevation-Required: 1\`; the app then starts a
step-up (\`POST /oauth/step-up\`). Checks run in this order: token, permissions, elevation, input, state.

Bodies are JSON. Duplicate members, unknown members and wrong types are refused, and the message names the member.
Lists are paged: \`next\` of one page is \`after\` of the next. Times are seconds since 1970.

OpenAPI 3.1 cannot describe the device grant (RFC 8628), which works too. The metadata at
\`/.well-known/oauth-authorization-server\` list it.`.replaceAll(/([^\n])\n([^\n])/g, "$1 $2")

export function description(issuer: string, operations: readonly Operation[]): JsonSchema {
  const tags = [...new Set(operations.map(tagOf))]
  return {
    openapi: "3.1.1",
    info: { title: "Latchkey", version: "1", description: INTRODUCTION },
    servers: [{ url: issuer }],
    tags: tags.map((name) => ({ name })),
    paths: pathsOf(operations),
    components: {
      securitySchemes: { [SCHEME]: securityScheme(issuer) },
      schemas: schemasOf([error, ...operations.flatMap(shapesOf)]),
      responses,
    },
  }
}

function securityScheme(issuer: string): JsonSchema {
  return {
    type: "oauth2",
    description:
      "OAuth 2.1 with PKCE (S256), or the device grant of RFC 8628 at /oauth/device-authorization.",
    flows: {
      authorizationCode: {
        authorizationUrl: `${issuer}/oauth/authorize`,
        tokenUrl: `${issuer}/oauth/token`,
        refreshUrl: `${issuer}/oauth/token`,
        scopes: Object.fromEntries(
          Object.entries(builtInPermissions).map(([name, { title }]) => [name, title]),
        ),
      },
    },
  }
}

function pathsOf(operations: readonly Operation[]): JsonSchema {
  const paths = new Map<string, Record<string, JsonSchema>>()
  for (const operation of operations) {
    const item = paths.get(operation.path) ?? {}
    item[operation.method.toLowerCase()] = itemOf(operation)
    paths.set(operation.path, item)
  }
  return Object.fromEntries(paths)
}

function itemOf(operation: Operation): JsonSchema {
  const { id, summary, notes, needs, elevation } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: id,
    summary,
    ...(notes !== null && { description: notes }),
    tags: [tagOf(operation)],
    security: needs === null ? [] : [{ [SCHEME]: needs }],
    ...(elevation !== null && { "x-elevation": elevation }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(operation),
    responses: responsesOf(operation),
  }
}

/** Derives the tag from the path, such as `admin accounts` or `credentials`. */
function tagOf({ path }: Operation): string {
  const [, , first = "", second = ""] = path.split("/")
  return first === "admin" ? `admin ${second}` : first.replace(/\.json$/, "")
}

function parametersOf({ path, query }: Operation): readonly JsonSchema[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    example: name === "key" ? "token.access_seconds" : "01k3v7m2q8xj5c9d4e6f7g8h9j",
  }))
  const properties = (query?.schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>
  const members = Object.entries(properties).map(([name, { description: about, ...schema }]) => ({
    name,
    in: "query",
    description: about,
    schema,
    // A list is one parameter whose values are separated by commas.
    ...(schema["type"] === "array" && { style: "form", explode: false }),
  }))
  return [...names, ...members]
}

function requestBodyOf({ body }: Operation): JsonSchema {
  if (body === null) return {}
  if ("picture" in body) {
    const content = body.picture.map((type) => [type, {}])
    const about = `An image file of at most ${body.most / 1024} KiB.`
    return { requestBody: { required: true, description: about, content: Object.fromEntries(content) } }
  }
  const content = { "application/json": { schema: schemaOf(body), example: body.example } }
  return { requestBody: { required: true, content } }
}

/** The responses of an operation. The `default` response describes 500 and 503. */
function responsesOf({ status, answers, needs, body, refuses }: Operation): JsonSchema {
  const content =
    answers === null
      ? {}
      : { content: { "application/json": { schema: schemaOf(answers), example: answers.example } } }
  const codes = new Set<keyof typeof responses>([
    "400",
    ...(needs === null ? [] : (["401"] as const)),
    ...(needs === null || needs.length === 0 ? [] : (["403"] as const)),
    ...refuses.map((one) => String(apiStatuses[one]) as "404" | "409"),
    ...(body === null ? [] : (["413", "415"] as const)),
    "default",
  ])
  return {
    [status]: { description: answers === null ? "Done." : "Success.", ...content },
    ...Object.fromEntries([...codes].map((code) => [code, { $ref: `#/components/responses/${code}` }])),
  }
}

function refusal(about: string, headers: Readonly<Record<string, string>> = {}): JsonSchema {
  return {
    description: about,
    ...(Object.keys(headers).length > 0 && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, of]) => [name, { description: of, schema: { type: "string" } }]),
      ),
    }),
    content: { "application/json": { schema: schemaOf(error) } },
  }
}

const challenge = { "WWW-Authenticate": "A Bearer challenge: RFC 6750, with `resource_metadata`." }

const responses = {
  "400": refusal(
    "`INVALID_ARGUMENT`: the request is not valid. `FAILED_PRECONDITION`: the operation needs elevation.",
    { "Service-Elevation-Required": "`1` with `FAILED_PRECONDITION`.", ...challenge },
  ),
  "401": refusal("`UNAUTHENTICATED`: the access token is missing or not valid.", challenge),
  "403": refusal(
    "`PERMISSION_DENIED`: the credential lacks a permission. The challenge lists all that are needed.",
    challenge,
  ),
  "404": refusal("`NOT_FOUND`: nothing has that id, or it belongs to another account."),
  "409": refusal(
    "`ALREADY_EXISTS`: the name is taken. `CONFLICT`: the current state does not allow the change.",
  ),
  "413": refusal("`INVALID_ARGUMENT`: the body is too large."),
  "415": refusal("`INVALID_ARGUMENT`: the body has the wrong media type."),
  default: refusal("`INTERNAL` (500), or `UNAVAILABLE` (503) with `Retry-After`.", {
    "Retry-After": "Seconds to wait.",
  }),
} as const

function shapesOf({ query, body, answers }: Operation): readonly Shape<unknown>[] {
  const sent = body === null || "picture" in body ? [] : [body]
  return [...(query === null ? [] : query.parts), ...sent, ...(answers === null ? [] : [answers])]
}

/** Collects the named shapes, including those inside other shapes. */
function schemasOf(shapes: readonly Shape<unknown>[]): JsonSchema {
  const named = new Map<string, JsonSchema>()
  const collect = ({ name, schema, parts }: Shape<unknown>): void => {
    if (name !== null) named.set(name, schema)
    for (const part of parts) collect(part)
  }
  for (const shape of shapes) collect(shape)
  return Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
