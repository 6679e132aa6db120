/**
 * A simulated service as an HTTPS server with mutual TLS on this computer, and its control port. It listens on 127.0.0.1 only, below
 * the paths of the real service.
 */
import {
  readBody,
  startControlServer,
  startTlsServer,
} from '../../../../platform/simulated-authority/index.ts'
import type { TlsServerOptions } from '../../../../platform/simulated-authority/index.ts'
import { simulatedService } from '../wire/services.ts'
import type { Province, ServiceAddresses } from '../wire/services.ts'
import { createServiceFaultControl, readServiceFault, SERVICE_FAULT_PLACES } from './faults.ts'
import type { ServiceFaultControl } from './faults.ts'
import { createProvinceService } from './provinces.ts'
import type { ProvinceOptions } from './provinces.ts'
import { page } from './service.ts'
import type { ServiceReply } from './service.ts'
import { memoryServiceState } from './state.ts'
import type { MemoryServiceState } from './state.ts'

export interface ServiceServerOptions
  extends Omit<ProvinceOptions, 'faults' | 'state' | 'now'>, Omit<TlsServerOptions, 'now' | 'admits'> {
  province: Province
  now?: () => Date
  state?: MemoryServiceState
  /** A second port, without TLS, for faults and lists; none by default. */
  controlPort?: number
  maxBodyBytes?: number
}

interface ServiceServer {
  service: ServiceAddresses
  url: string
  /** Null without a control port. */
  controlUrl: string | null
  port: number
  /** The root certificate that a client must trust. */
  caPem: string
  control: ServiceFaultControl
  state: MemoryServiceState
  /** Closes every connection and stops listening. */
  close: () => Promise<void>
}

const MESSAGE_BYTES = 64 * 1024 * 1024

/** Starts the server. Rejects when a port is in use. */
export async function startServiceServer(options: ServiceServerOptions): Promise<ServiceServer> {
  const now = options.now ?? (() => new Date())
  const control = createServiceFaultControl()
  const state = options.state ?? memoryServiceState()
  const service = createProvinceService(options.province, { ...options, state, now, faults: control })
  const server = await startTlsServer(
    { ...options, now, admits: () => service.admits() },
    async (request, response, { fault, nifs }) => {
      const body = await readBody(request, options.maxBodyBytes ?? MESSAGE_BYTES)
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [
          name,
          value === undefined ? undefined : String(value),
        ]),
      )
      const reply: ServiceReply =
        body === 'too_large'
          ? page(413, 'Demasiado grande', 'El mensaje no cabe.')
          : await service.handle({
              method: request.method ?? '',
              path: new URL(request.url ?? '/', 'https://127.0.0.1').pathname,
              headers,
              body,
              callers: fault ? null : nifs,
            })
      if (reply.kind === 'dropped') {
        request.socket.destroy()
        return
      }
      response
        .writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length })
        .end(reply.body)
    },
  )
  const controlServer =
    options.controlPort === undefined
      ? null
      : await startControlServer({
          port: options.controlPort,
          control,
          readFault: readServiceFault,
          on: SERVICE_FAULT_PLACES,
          onError: 'on_is_change_read_or_any',
          lists: {
            files: () => state.files().map(({ xml: _xml, cancellation: _cancellation, ...facts }) => facts),
            received: () => state.received().map(({ xml: _xml, ...facts }) => facts),
            messages: () => service.log(),
          },
        }).catch(async (error: unknown) => {
          await server.close()
          throw error
        })
  const url = `https://127.0.0.1:${server.port}/`
  return {
    service: simulatedService(options.province, url),
    url,
    controlUrl: controlServer?.url ?? null,
    port: server.port,
    caPem: server.caPem,
    control,
    state,
    close: async () => {
      await controlServer?.close()
      await server.close()
    },
  }
}
