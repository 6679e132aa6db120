/** Composes the environment of use cases over an open store, whichever engine keeps it, and what runs in it. */
import manifest from '../../package.json' with { type: 'json' }
import producer from '../../build/producer.json' with { type: 'json' }
import { ledger } from '../accounting/ledger/port.ts'
import { createCtx } from '../context.ts'
import type {
  AppEnvironment,
  Book,
  CloseForRestore,
  Ctx,
  PersonCheck,
  People,
  Servers,
  WorkKind,
} from '../context.ts'
import type { Store } from '../db/store.ts'
import { createDocumentPool, stopExports } from '../documents/rendering/start.ts'
import type { DocumentJob, DocumentPool } from '../documents/rendering/start.ts'
import { truth } from '../documents/truth/port.ts'
import { createIdMaker } from '../domain/ids.ts'
import { erpMockEndpointFrom, stopErpRuns } from '../integrations/erp/start.ts'
import type { Log } from '../platform/log.ts'
import { endIdleParsers } from '../platform/processes/parsers.ts'
import {
  mockEndpointFrom,
  platformMockEndpointFrom,
  portalMockEndpointFrom,
  returnsMockEndpointFrom,
} from '../registry/index.ts'
import { writeCalls } from './assistants/index.ts'
import { RUNNING_BUILD } from './build/index.ts'
import { stopVerification } from './integrity/index.ts'
import { related } from './related.ts'

/** What a caller may replace or add in the environment. */
export interface EnvironmentOptions {
  /** The operating system's check that the owner is at the computer; provided by the desktop app. */
  person?: PersonCheck | null
  /** Closes the books and shows the page that restores a backup. */
  closeForRestore?: CloseForRestore | undefined
  /** Replaces the random part of identifiers in tests: whole numbers below 2^35. */
  idDice?: () => number
  /** Replaces the accounting system at its fixed address in tests. */
  erpMockEndpoint?: AppEnvironment['erpMockEndpoint']
  /** Replaces the environment of the process in tests. */
  environment?: Readonly<Record<string, string | undefined>>
}

/** An open application without a server: for commands and tests. */
export interface OpenedSello {
  env: AppEnvironment
  log: Log
  /** Creates a context for actions of Sello itself or of the person at the command line. */
  ctx(book: Book, actor?: Ctx['actor']): Ctx
  /** The background jobs woken by `env.wake`, and the recovery of a store that could not be written. */
  listeners: Record<WorkKind | 'writeRecovery' | 'diskSpace', (companyId?: number) => void>
  close(): Promise<void>
}

interface EnvironmentParts extends EnvironmentOptions {
  loadContracts: AppEnvironment['loadContracts']
  store: Store
  servers?: Servers | null
  people?: People | null
  sandbox: boolean
  log: Log
  now: () => Date
  advised?: AppEnvironment['advised']
  /** Called when background work was woken, besides its listener. */
  onWake?: AppEnvironment['wake']
}

interface ComposedEnvironment {
  env: AppEnvironment
  listeners: OpenedSello['listeners']
  /** Ends the threads that draw documents. */
  closeDocuments(): Promise<void>
}

/** Creates the environment of an open store. */
export function composeEnvironment(parts: EnvironmentParts): ComposedEnvironment {
  const { store, sandbox, log, now, onWake = () => {} } = parts
  let pool: DocumentPool | null = null
  const noop = (): void => {}
  const listeners: OpenedSello['listeners'] = {
    sender: noop,
    documents: noop,
    events: noop,
    mail: noop,
    webhooks: noop,
    erp: noop,
    exports: noop,
    filing: noop,
    incoming: noop,
    mailboxes: noop,
    exchange: noop,
    portal: noop,
    bulk: noop,
    calendar: noop,
    writeRecovery: noop,
    diskSpace: noop,
  }
  const variables = parts.environment ?? process.env
  const report = (line: string): void => log({ event: 'start', error: line })
  const env: AppEnvironment = {
    loadContracts: parts.loadContracts,
    ...(parts.advised ? { advised: parts.advised } : {}),
    store,
    servers: parts.servers ?? null,
    people: parts.people ?? null,
    version: manifest.version,
    build: RUNNING_BUILD,
    producer,
    sandbox,
    mockEndpoint: mockEndpointFrom(variables, sandbox, report),
    returnsMockEndpoint: returnsMockEndpointFrom(variables, sandbox, report),
    portalMockEndpoint: portalMockEndpointFrom(variables, sandbox, report),
    platformMockEndpoint: platformMockEndpointFrom(variables, sandbox, report),
    erpMockEndpoint: parts.erpMockEndpoint ?? erpMockEndpointFrom(variables, sandbox, report),
    address: { restUrl: null, mcpUrl: null },
    person: parts.person ?? null,
    window: { pages: 0 },
    closeForRestore: parts.closeForRestore ?? null,
    now,
    newId: createIdMaker(() => now().getTime(), parts.idDice),
    ledger,
    truth,
    related,
    documents: { make: (job) => (pool ??= createDocumentPool()).make(job as DocumentJob) },
    report: (work, error) => log({ event: 'background', error: `${work}: ${String(error)}` }),
    wake: (work, companyId) => {
      listeners[work](companyId)
      // The events may concern other receivers.
      if (work === 'events') listeners.webhooks(companyId)
      onWake(work, companyId)
    },
  }
  return { env, listeners, closeDocuments: async () => pool?.close() }
}

/** Returns the open application over an environment; `closeStore` is called when nothing runs any more. */
export function openedSello(
  { env, listeners, closeDocuments }: ComposedEnvironment,
  log: Log,
  closeStore: () => Promise<void>,
): OpenedSello {
  return {
    env,
    log,
    listeners,
    ctx: (book, actor = { kind: 'system', id: 'system', name: 'Sello' }) =>
      createCtx({ env, book, actor, channel: 'system', requestId: env.newId('req') }),
    close: async () => {
      const stopping = stopExports(env)
      await stopErpRuns(env)
      await stopVerification(env)
      await writeCalls(env)
      await closeDocuments()
      endIdleParsers()
      await stopping
      await closeStore()
    },
  }
}
