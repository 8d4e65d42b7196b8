/** From the address of a database to one that works: connected, and of this version. */
import { Database } from "./database.ts"
import { migrate } from "./migrate.ts"
import { Pool } from "./pool.ts"

/** Connects, and brings the database to this version where needed. */
export async function openDatabase(url: string): Promise<Database> {
  const database = new Database(new Pool({ connectionString: url }, 10))
  try {
    const connection = await database.pool.borrow()
    try {
      await migrate(connection)
    } finally {
      database.pool.giveBack(connection)
    }
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
