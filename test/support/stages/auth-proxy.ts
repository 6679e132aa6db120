/**
 * A proxy in front of a server for clients that cannot send a key: it adds the key and replaces its own port in
 * `Host` and `Origin` by the server's. Foreign hosts and origins pass unchanged, so that the server's own guard is
 * tested.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface AuthProxy {
  /** As the target, on the proxy's port. */
  url: string
  close(): Promise<void>
}

/** Listens on loopback in front of `target` and adds `Authorization: Bearer <key>` to every request. */
export async function openAuthProxy(target: string, key: string): Promise<AuthProxy> {
  const { hostname, port, pathname } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const onward = request(
      {
        hostname,
        port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...towards(incoming.headers), authorization: `Bearer ${key}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const own = (server.address() as AddressInfo).port
  const ownAddress = new RegExp(`^(https?://)?(localhost|127\\.0\\.0\\.1|\\[::1\\]):${own}$`)

  function towards(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
    const renamed: OutgoingHttpHeaders = { ...headers }
    for (const name of ['host', 'origin'] as const) {
      const value = headers[name]
      if (value !== undefined) renamed[name] = value.replace(ownAddress, `$1$2:${port}`)
    }
    return renamed
  }

  return {
    url: `http://127.0.0.1:${own}${pathname}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
