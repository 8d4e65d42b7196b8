/** Code that the first request to it loads. It stays loaded. */
import type { Endpoint } from "./endpoint.ts"

type EndpointName<M> = { readonly [K in keyof M]: M[K] extends Endpoint ? K : never }[keyof M]

/** Returns a function that makes an endpoint of the module from its name. */
export function lazyModule<M>(load: () => Promise<M>): (name: EndpointName<M>) => Endpoint {
  const loadModule = loadOnce(load)
  return (name) =>
    async (...args) =>
      ((await loadModule())[name] as Endpoint)(...args)
}

/** All calls share one load. After a load that failed, the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () =>
    (loading ??= load().catch((problem: unknown) => {
      loading = null
      throw problem
    }))
}
