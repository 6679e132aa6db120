/** Control of a server of a run: start, rest, and processor time. Each is a separate program. */
import type { Server as HttpServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answer } from './child.ts'
import { processCpuUs, threadCpuUs } from './method.ts'

/** `limit` serves the REST addresses, `mcp` the tools; `typeorm` is the peer with its own program. */
export type ServerKind = 'product' | 'limit' | 'mcp' | 'typeorm'

export interface ServerPlace {
  folder: string
  keyFile: string
}

export type ServerJob =
  | { do: 'start'; server: ServerKind; place: ServerPlace; apiKey: string }
  /** Waits until the background work of the requests has ended. */
  | { do: 'rest' }
  | { do: 'measure' }
  /** Starts to measure the delay of its timers. */
  | { do: 'watchLoop' }

export type StartJob = Extract<ServerJob, { do: 'start' }>

export interface ServerAnswer {
  port: number
  /** Set for the product only. */
  windowToken: string | null
  /** Processor time so far in microseconds: of all threads and of the server's. */
  cpuUs: number
  threadCpuUs: number
  /** The longest timer delay since the measurement started, in milliseconds. */
  loopDelayMs: number
}

export interface Running {
  port: number
  windowToken: string | null
  rest(): Promise<void>
  close(): Promise<void>
}

/** Returns the port of a listening server. */
export function portOf(server: Pick<HttpServer, 'address'>): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

const RESOLUTION_MS = 1

/** Answers the jobs with the server that `start` opens. */
export function serve(start: (job: StartJob) => Promise<Running>): void {
  let running: Running | null = null
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  answer<ServerJob, ServerAnswer>(
    async (job) => {
      if (job.do === 'start') running = await start(job)
      if (!running) throw new Error('The server has not been started.')
      if (job.do === 'rest') await running.rest()
      if (job.do === 'watchLoop') {
        delay.reset()
        delay.enable()
      }
      const { port, windowToken } = running
      // Each sample includes the resolution.
      const loopDelayMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
      return { port, windowToken, cpuUs: processCpuUs(), threadCpuUs: threadCpuUs(), loopDelayMs }
    },
    async () => running?.close(),
  )
}
