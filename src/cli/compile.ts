/**
 * Loads whatever the service may come to load and runs none of it, so that Node keeps all of it compiled. `bin/latchkey` has
 * that done by a process of its own ahead of a start: who compiles keeps the compiler in memory, 15 MB.
 */
await Promise.all([
  import("./serve.command.ts"),
  import("../config/configuration-file.ts"),
  import("../console-handlers.ts"),
  import("../console/console-page.ts"),
  import("../http/metrics-listener.ts"),
  import("../http/metrics.ts"),
  import("../main.ts"),
  import("../store/postgres/postgres-store.ts"),
  import("../store/sqlite/sqlite-store.ts"),
])
