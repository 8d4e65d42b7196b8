/** Operations of administrators on groups, and on who is in them. */
import type { GroupRefusal, MembershipUpdate } from "../../accounts/groups/group-change.rules.ts"
import {
  addGroup,
  changeMemberships,
  findGroup,
  membershipsOf,
  removeGroup,
  retitleGroup,
} from "../../accounts/groups/groups.ts"
import { previewGroupRemoval, previewMemberships } from "../../apps/group-preview.ts"
import { previewRecord, previewShape } from "../../apps/preview/preview-record.ts"
import type { Result } from "../../kernel/result.ts"
import { isGroupName } from "../../model/permissions/group.rules.ts"
import { type ApiStatus, refused } from "../../platform/http/api-error.ts"
import { flag, optional, record } from "../../platform/json/shape.rules.ts"
import type { CountedGroup } from "../../store/list-shapes.ts"
import { accountMembers } from "../accounts/account-record.ts"
import { byAdministrator, type Call, success } from "../api/call.ts"
import { type Operation, operation } from "../api/operation.ts"
import { mapPage, pageOf, pagingBy, readPage } from "../api/paging.ts"
import {
  groupedRecord,
  groupMembers,
  groupName,
  groupRecord,
  groupShape,
  groupTitle,
  memberships,
} from "./group-record.ts"

const GROUPS = "/api/admin/groups"
const GROUP = "/api/admin/groups/{name}"
const MEMBERSHIP = "/api/admin/accounts/{user_id}/groups/{name}"

const statuses = {
  unknown: "NOT_FOUND",
  malformed: "INVALID_ARGUMENT",
  taken: "ALREADY_EXISTS",
  conflict: "CONFLICT",
} as const satisfies Record<GroupRefusal["why"], ApiStatus>

const previewQuery = record(null, {
  preview: optional(flag("Makes no change, and returns what the change would do.")),
})
const groupedShape = record("GroupedAccount", {
  ...accountMembers,
  memberships,
  preview: optional(previewShape),
})

export const groupOperations: readonly Operation[] = [
  operation("GET", GROUPS, "adminListGroups", {
    summary: "List the groups by name",
    needs: ["admin:accounts"],
    query: record(null, pagingBy(isGroupName)),
    answers: pageOf("GroupPage", groupShape),
    run: async ({ services, query }) => {
      const found = await readPage(
        query,
        (page) => services.store.groups(page),
        ({ name }) => name,
      )
      return success(mapPage(found, groupRecord))
    },
  }),
  operation("POST", GROUPS, "adminAddGroup", {
    summary: "Add a group",
    needs: ["admin:accounts"],
    body: record("NewGroup", { name: groupName, title: optional(groupTitle) }),
    status: 201,
    answers: groupShape,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: async ({ services, body: { name, title = null }, ...call }) =>
      answer(await addGroup(services, name, title, byAdministrator(call))),
  }),
  operation("GET", GROUP, "adminGetGroup", {
    summary: "Get a group",
    notes: "`GET /api/admin/accounts?group=` lists its members.",
    needs: ["admin:accounts"],
    answers: groupShape,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: async ({ services, path }) => answer(await findGroup(services, path.name)),
  }),
  operation("PATCH", GROUP, "adminUpdateGroup", {
    summary: "Change the title of a group",
    needs: ["admin:accounts"],
    body: record("GroupUpdate", { title: groupTitle }),
    answers: groupShape,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: async ({ services, path, body, ...call }) =>
      answer(await retitleGroup(services, path.name, body.title, byAdministrator(call))),
  }),
  operation("DELETE", GROUP, "adminRemoveGroup", {
    summary: "Remove a group with its memberships, or preview that with `preview=1`",
    needs: ["admin:accounts"],
    query: previewQuery,
    answers: record("RemovedGroup", { ...groupMembers, preview: optional(previewShape) }),
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: async ({ services, path, query, ...call }) => {
      if (query.preview !== true) return answer(await removeGroup(services, path.name, byAdministrator(call)))
      const seen = await previewGroupRemoval(services, path.name)
      if (!seen.ok) return refusal(seen.error)
      return success({ ...groupRecord(seen.value.group), preview: previewRecord(seen.value.preview) })
    },
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
      refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
      run: (call) =>
        change(
          call,
          method === "PUT" ? { add: [call.path.name], remove: [] } : { add: [], remove: [call.path.name] },
        ),
    }),
  ),
]

type MembershipCall = Call<"user_id" | "name", { readonly preview?: boolean | undefined }>

async function change({ services, path, query, ...call }: MembershipCall, update: MembershipUpdate) {
  if (query.preview === true) {
    const seen = await previewMemberships(services, path.user_id, update)
    if (!seen.ok) return refusal(seen.error)
    const { grouped, preview } = seen.value
    return success({ ...(await groupedRecord(services, grouped)), preview: previewRecord(preview) })
  }
  const found = await membershipsOf(services, path.user_id)
  if (!found.ok) return refusal(found.error)
  const changed = await changeMemberships(services, found.value.account, update, byAdministrator(call))
  return changed.ok ? success(await groupedRecord(services, changed.value)) : refusal(changed.error)
}

function answer(found: Result<CountedGroup, GroupRefusal>) {
  return found.ok ? success(groupRecord(found.value)) : refusal(found.error)
}

function refusal({ why, problem, withoutName = problem }: GroupRefusal) {
  return refused(statuses[why], withoutName)
}
