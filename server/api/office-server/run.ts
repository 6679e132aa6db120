/** Runs one server of an office: requests, probes, metrics and background work, and their orderly end. */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createMetrics, startOfficeWork, watchOffice } from '../../app/office/index.ts'
import type {
  Bucket,
  ConnectedOffice,
  OfficeMetrics,
  OfficeWatch,
  OfficeWork,
  OfficeWorkKind,
} from '../../app/office/index.ts'
import { waitUntilIdle } from '../../domain/concurrency/in-flight.ts'
import { endStreams } from '../../platform/events/index.ts'
import { createLog } from '../../platform/log.ts'
import type { Log } from '../../platform/log.ts'
import { serverOver } from '../application.ts'
import { OwnAddress } from '../http/index.ts'
import type { ServerTls } from '../http/index.ts'
import { connectOfficeSello, officeOperations } from '../office.ts'
import { warmUp } from '../operations.ts'
import { peopleOf } from '../../app/people/index.ts'
import type { FirmDirectorySettings, Site } from '../../app/people/index.ts'
import { DIRECTORY_CALLBACK } from './session-cookie.ts'
import { installSignIn } from './sign-in-routes.ts'
import { createOfficeGate } from './window.ts'
import { installProbes, listenAt, PROBES, startProbeServer, urlOf } from './probes.ts'
import type { Address } from './probes.ts'
import { watchRequests } from './requests.ts'
import type { WatchedRequests } from './requests.ts'

interface OfficeServerOptions {
  url: string
  masterKey: Buffer
  /** Where big documents are; undefined: in the database. It is closed with the server. */
  bucket?: Bucket | undefined
  /** Most connections that write, and most that read. */
  connections: number
  /** Where requests are answered; null for a server that only works. */
  listen: Address | null
  /** The addresses under which clients reach the office, such as `https://office.example`. */
  publicUrls: readonly string[]
  isProxy: (address: string) => boolean
  metrics: Address | null
  work: readonly OfficeWorkKind[]
  /** Folder with the pages of the documentation; null for none. */
  docsDir: string | null
  /** Folder of the page at which people sign in; null for a server that only answers programs. */
  uiDir: string | null
  /** Ends TLS by itself; undefined behind a proxy that does. */
  tls?: ServerTls | undefined
  /** The firm's own directory. */
  firmDirectory?: FirmDirectorySettings | undefined
  logRequests: boolean
  /** How long the server still answers at its end, so that proxies notice that it is not ready, in milliseconds. */
  drainMs: number
  log: (line: string) => void
  /** Replaces the random part of the time after which streams come back in tests: from 0 to 1. */
  dice?: () => number
}

interface RunningOffice {
  /** Null for a server without requests. */
  url: string | null
  metricsUrl: string | null
  /**
   * Ends the server: not ready at once, after `drainMs` no new requests, then when those under way and the work have
   * ended. Returns the number of requests that did not end in time.
   */
  stop(): Promise<number>
}

/** Requests that are open at the end are given up after this time. */
const REQUESTS_END_MS = 30_000
/** Streams come back after one to ten seconds. */
const COME_BACK_MS = { least: 1_000, spread: 9_000 }
/** Longer than proxies keep idle connections, so that none sends a request on one that is just closed. */
const KEEP_ALIVE_MS = 150_000
/** Proxies share their connections between clients. */
const CONNECTIONS = { total: 4_096, waitingPerPeer: 4_096 }

/** The names under which a server at an address is called. */
function ownAddress({ host, port }: Address, publicUrls: readonly string[], isTls: boolean): OwnAddress {
  const address = new OwnAddress(port)
  const own = siteOf(publicUrls, port, isTls).origins
  const named = publicUrls.map((each) => new URL(each))
  const written = host.includes(':') ? `[${host}]` : host
  address.hosts = new Set([...address.hosts, `${written}:${port}`, ...named.map((each) => each.host)])
  address.origins = new Set([...own, ...named.map((each) => each.origin)])
  return address
}

/**
 * Returns the address at which people sign in: the public names of one host. Without one, this computer's: passkeys need
 * a name.
 */
function siteOf(publicUrls: readonly string[], port: number, isTls: boolean): Site {
  const [first, ...more] = publicUrls.map((each) => new URL(each))
  if (!first) return { id: 'localhost', origins: [`${isTls ? 'https' : 'http'}://localhost:${port}`] }
  const same = more.filter((each) => each.hostname === first.hostname)
  return { id: first.hostname, origins: [first, ...same].map((each) => each.origin) }
}

interface Door {
  app: FastifyInstance
  requests: WatchedRequests
  url: string
}

async function openDoor(
  { sello }: ConnectedOffice,
  at: Address,
  options: OfficeServerOptions,
  { watch, metrics, log }: { watch: OfficeWatch; metrics: OfficeMetrics | null; log: Log },
): Promise<Door> {
  const { publicUrls, isProxy, docsDir, uiDir, firmDirectory, logRequests } = options
  const isTls = options.tls !== undefined
  const address = ownAddress(at, publicUrls, isTls)
  const people = peopleOf(sello)
  address.entrances = new Set(['/', DIRECTORY_CALLBACK])
  if (firmDirectory) people.useFirmDirectory(firmDirectory)
  const app = await serverOver(sello, {
    address,
    windowToken: null,
    officeWindow: {
      gate: createOfficeGate(people),
      install: (server) => installSignIn(server, people),
    },
    uiDir,
    docsDir,
    operations: officeOperations,
    network: {
      isProxy,
      keepAliveMs: KEEP_ALIVE_MS,
      connections: CONNECTIONS,
      probes: PROBES,
      tls: options.tls,
      isEncrypted: isTls || publicUrls.some((each) => each.startsWith('https:')),
    },
  })
  const requests = watchRequests(app, {
    operations: officeOperations,
    probes: PROBES,
    metrics,
    log: logRequests ? log : null,
  })
  installProbes(app, watch)
  const own = await listenAt(() => app.listen(at), app.server, at)
  if (own.port !== at.port) {
    const { hosts, origins } = ownAddress(own, publicUrls, isTls)
    Object.assign(address, { hosts, origins, port: own.port })
  }
  people.site = siteOf(publicUrls, own.port, isTls)
  const url = isTls ? urlOf(own).replace(/^http:/, 'https:') : urlOf(own)
  const named = (publicUrls[0] ?? url).replace(/\/$/, '')
  sello.env.address = { restUrl: `${named}/api/v1`, mcpUrl: `${named}/api/mcp/svc` }
  return { app, requests, url }
}

/** Starts a server of an office. Throws the errors of `connectOfficeSello`, or `port_taken`. */
export async function startOfficeServer(options: OfficeServerOptions): Promise<RunningOffice> {
  const { url, masterKey, bucket, connections, drainMs, dice = Math.random } = options
  const metrics = options.metrics ? createMetrics() : null
  const office = await connectOfficeSello({
    url,
    masterKey,
    bucket,
    connections,
    log: options.log,
    observer: metrics?.observer,
  })
  const { sello } = office
  const { env } = sello
  const log = createLog(options.log, env.now)
  const closers: (() => Promise<unknown>)[] = [() => office.close()]
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0)) await close()
  }
  try {
    const watch = await watchOffice({ url, log }, env)
    closers.push(() => watch.close())
    metrics?.watch(office, watch, log)
    // Loaded before the server says that it is ready.
    await warmUp()
    const door = options.listen
      ? await openDoor(office, options.listen, options, { watch, metrics, log })
      : null
    if (door) closers.unshift(() => door.app.close())
    const probes = options.metrics && metrics ? await startProbeServer(options.metrics, watch, metrics) : null
    if (probes) closers.push(() => probes.close())
    const work: OfficeWork | null =
      options.work.length > 0
        ? await startOfficeWork(sello, {
            kinds: options.work,
            log: (line) => log({ event: 'background', error: line }),
          })
        : null
    log({ event: 'started', version: env.version })
    return {
      url: door?.url ?? null,
      metricsUrl: probes?.url ?? null,
      stop: async () => {
        log({ event: 'stopping' })
        watch.leave()
        door?.requests.leave()
        const workEnds = work?.stop().catch((error: unknown) => log({ event: 'stopping', error }))
        let unfinished = 0
        if (door) {
          await pause(drainMs)
          door.requests.refuse()
          endStreams(env, () => Math.round(COME_BACK_MS.least + dice() * COME_BACK_MS.spread))
          unfinished = await door.requests.whenEnded(REQUESTS_END_MS)
        }
        await workEnds
        await waitUntilIdle(env.store)
        await closeAll()
        log({ event: 'stopped', unfinished })
        return unfinished
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}
