/**
 * Loads every module of the service without running it, so that Node stores the compiled code. `bin/latchkey` runs this
 * file in a separate process, because a process that compiles keeps 15 MB for the compiler.
 */
await Promise.all([
  import("jose"),
  import("./serve.command.ts"),
  import("../platform/config/configuration-file.ts"),
  import("../routes.ts").then(({ loadAllRoutes }) => loadAllRoutes("")),
  import("../platform/http/metrics-listener.ts"),
  import("../platform/http/metrics.ts"),
  import("../main.ts"),
  import("../store/postgres/postgres-store.ts"),
  import("../store/sqlite/sqlite-store.ts"),
])
