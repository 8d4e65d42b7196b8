/**
 * Decides who manages the apps of an operation. Account holders manage their own apps. Administrators manage all apps.
 */
import { asOwner, type Manager } from "../../apps/app.ts"
import { byAdministrator, type Call } from "../api/call.ts"

export type Asking = Pick<Call, "context" | "bearer" | "address">
export type ManagerOf = (asking: Asking) => Manager | Promise<Manager>

export const ownerOf: ManagerOf = async ({ context, bearer, address }) => ({
  owner: await asOwner(context.services, bearer.account),
  address,
})

export const administratorOf: ManagerOf = (asking) => ({ owner: null, ...byAdministrator(asking) })
