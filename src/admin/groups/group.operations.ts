/** Operations of administrators on groups, and on who is in them. */
import type { Grouped, GroupRefusal } from "../../accounts/groups/group-change.rules.ts"
import {
  addGroup,
  changeMemberships,
  findGroup,
  removeGroup,
  retitleGroup,
} from "../../accounts/groups/groups.ts"
import { previewGroupRemoval, previewMemberships } from "../../apps/group-preview.ts"
import { previewRecord } from "../../apps/preview/preview-record.ts"
import type { ReachPreview } from "../../apps/preview/reach-preview.rules.ts"
import type { Result } from "../../kernel/result.ts"
import { isGroupName } from "../../model/permissions/group.rules.ts"
import { refused } from "../../platform/http/api-error.ts"
import { flag, optional, record } from "../../platform/json/shape.rules.ts"
import type { CountedGroup } from "../../store/list-shapes.ts"
import { statuses } from "../accounts/account-refused.ts"
import { byAdministrator, success } from "../api/call.ts"
import { type Operation, operation, type OwnStatus } from "../api/operation.ts"
import { mapPage, pageOf, pagingBy, readPage } from "../api/paging.ts"
import {
  groupedRecord,
  groupedShape,
  groupName,
  groupRecord,
  groupShape,
  groupTitle,
  removedGroupShape,
} from "./group-record.ts"
import { rowKeys } from "../../store/list.ts"

const GROUPS = "/api/admin/groups"
const GROUP = "/api/admin/groups/{name}"
const MEMBERSHIP = "/api/admin/accounts/{user_id}/groups/{name}"

const previewQuery = record(null, {
  preview: optional(flag("Makes no change, and returns what the change would do.")),
})

export const groupOperations: readonly Operation[] = [
  operation("GET", GROUPS, "adminListGroups", {
    summary: "List the groups by name",
    needs: ["admin:accounts"],
    query: record(null, pagingBy(isGroupName)),
    answers: pageOf("GroupPage", groupShape),
    run: async ({ services, query }) => {
      const found = await readPage(query, (page) => services.store.groups(page), rowKeys.groups)
      return success(mapPage(found, groupRecord))
    },
  }),
  operation("POST", GROUPS, "adminAddGroup", {
    summary: "Add a group",
    needs: ["admin:accounts"],
    body: record("NewGroup", { name: groupName, title: optional(groupTitle) }),
    status: 201,
    answers: groupShape,
    refuses: ["ALREADY_EXISTS"],
    run: async ({ services, body: { name, title = null }, ...call }) =>
      answer<"ALREADY_EXISTS">(await addGroup(services, name, title, byAdministrator(call))),
  }),
  operation("GET", GROUP, "adminGetGroup", {
    summary: "Get a group",
    notes: "`GET /api/admin/accounts?group=` lists its members.",
    needs: ["admin:accounts"],
    answers: groupShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path }) => answer<"NOT_FOUND">(await findGroup(services, path.name)),
  }),
  operation("PATCH", GROUP, "adminUpdateGroup", {
    summary: "Change the title of a group",
    needs: ["admin:accounts"],
    body: record("GroupUpdate", { title: groupTitle }),
    answers: groupShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path, body, ...call }) =>
      answer<"NOT_FOUND">(await retitleGroup(services, path.name, body.title, byAdministrator(call))),
  }),
  operation("DELETE", GROUP, "adminRemoveGroup", {
    summary: "Remove a group with its memberships, or preview that with `preview=1`",
    needs: ["admin:accounts"],
    query: previewQuery,
    answers: removedGroupShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path: { name }, query, ...call }) =>
      answer<"NOT_FOUND">(
        query.preview === true
          ? await previewGroupRemoval(services, name)
          : await removeGroup(services, name, byAdministrator(call)),
      ),
  }),
  ...(["PUT", "DELETE"] as const).map((method) =>
    operation(method, MEMBERSHIP, method === "PUT" ? "adminJoinGroup" : "adminLeaveGroup", {
      summary:
        method === "PUT"
          ? "Put an account into a group by hand, or preview that with `preview=1`"
          : "Take an account out of a group by hand, or preview that with `preview=1`",
      ...(method === "DELETE" && {
        notes: "What a sign-in provider gave stays: `memberships` says which provider.",
      }),
      needs: ["admin:accounts"],
      query: previewQuery,
      answers: groupedShape,
      refuses: ["NOT_FOUND", "CONFLICT"],
      run: async ({ services, path: { user_id: id, name }, query, ...call }) => {
        const update = { add: method === "PUT" ? [name] : [], remove: method === "PUT" ? [] : [name] }
        const changed: Result<Grouped & Previewed, GroupRefusal> =
          query.preview === true
            ? await previewMemberships(services, id, update)
            : await changeMemberships(services, id, update, byAdministrator(call))
        if (!changed.ok) return refusal<"NOT_FOUND" | "CONFLICT">(changed.error)
        return withPreview(await groupedRecord(services, changed.value), changed.value)
      },
    }),
  ),
]

type Previewed = { readonly preview?: ReachPreview }

function answer<S extends OwnStatus>(found: Result<CountedGroup & Previewed, GroupRefusal>) {
  return found.ok ? withPreview(groupRecord(found.value), found.value) : refusal<S>(found.error)
}

function withPreview<R extends object>(shown: R, { preview }: Previewed) {
  return success({ ...shown, ...(preview && { preview: previewRecord(preview) }) })
}

/** `S` are the statuses that the operation can have. */
function refusal<S extends OwnStatus>({ why, problem, withoutName = problem }: GroupRefusal) {
  return refused(statuses[why] as S | "INVALID_ARGUMENT", withoutName)
}
