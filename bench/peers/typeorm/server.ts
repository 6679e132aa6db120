/**
 * The peer of T3 as a separate program: create and issue with Express, TypeORM and zod. Called like the other
 * servers.
 */
import { createServer } from 'node:http'
import { portOf, serve } from '../../serving.ts'
import { createPeerApp } from './app.ts'
import { Store } from './store.ts'

serve(async ({ place, apiKey }) => {
  const store = await Store.create(place, apiKey)
  const server = createServer(createPeerApp(store))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(server),
    windowToken: null,
    rest: async () => {},
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.close()
    },
  }
})
