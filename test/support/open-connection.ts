import { parseAddress } from "../../src/store/postgres/driver/address.ts"
import type { Connection } from "../../src/store/postgres/driver/connection.ts"
import { connector } from "../../src/store/postgres/open-database.ts"

/** Opens a connection that does not belong to a pool, with the limits of the engine. The caller closes it. */
export function openConnection(url: string): Promise<Connection> {
  return connector(parseAddress(url))()
}
