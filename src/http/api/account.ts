/** GET /api/account: the account that the credential stands for. */
import { sendJson } from "../respond.ts"
import { protectedBy } from "./protected.ts"

export const getAccount = protectedBy(["account:read"], (_, __, reply, { account }) =>
  sendJson(reply, 200, {
    user_id: account.userId,
    username: account.username,
    admin: account.admin,
    created_at: account.createdAt,
  }),
)
