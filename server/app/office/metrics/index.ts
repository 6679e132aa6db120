/**
 * The metrics of a server of an office, for Prometheus. Labels hold names of operations, queues and replicas: never
 * anything of a company, a person or a document.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { StoreObserver } from '../../../db/postgres/observer.ts'
import type { Log } from '../../../platform/log.ts'
import type { ConnectedOffice } from '../connect.ts'
import type { OfficeWatch } from '../watch.ts'
import { addReadings } from './readings.ts'

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const LOCK_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const STATEMENTS = [1, 2, 5, 10, 15, 20, 25, 30, 40, 60, 100, 200, 500]

/** An answered request. */
interface AnsweredRequest {
  /** Name of the operation, `mcp`, or `other`. */
  operation: string
  /** Status of the answer; `aborted` if the client was gone before its end. */
  status: string
  /** Null for a stream, which is open for hours. */
  seconds: number | null
}

export interface OfficeMetrics {
  /** Given to the store before it opens. */
  observer: StoreObserver
  answered(request: AnsweredRequest): void
  /** Adds what is read when the metrics are asked for. */
  watch(office: Pick<ConnectedOffice, 'sello' | 'pools'>, watch: OfficeWatch, log: Log): void
  /** Returns the metrics in the text format of Prometheus, and its media type. */
  text(): Promise<{ type: string; body: string }>
}

/** Creates the instruments of this process. */
export function createMetrics(): OfficeMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'sello_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'sello_request_seconds',
    help: 'Time from the head of a request to the end of its answer, by operation.',
    labelNames: ['operation'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const open = new Gauge({
    name: 'sello_transactions_open',
    help: 'Transactions of this process that wait for their turn or have it.',
    registers,
  })
  const turns = new Histogram({
    name: 'sello_turn_seconds',
    help: 'Time that a transaction waited for its turn in this process.',
    buckets: LOCK_SECONDS,
    registers,
  })
  const locks = new Histogram({
    name: 'sello_lock_seconds',
    help: 'Time under the lock of a company, to the answer of COMMIT.',
    buckets: LOCK_SECONDS,
    registers,
  })
  const statements = new Histogram({
    name: 'sello_lock_statements',
    help: 'Statements under the lock of a company, for each COMMIT.',
    buckets: STATEMENTS,
    registers,
  })
  const transactions = new Counter({
    name: 'sello_transactions_total',
    help: 'Transactions that became durable; several may share a COMMIT.',
    registers,
  })
  const reruns = new Counter({
    name: 'sello_transaction_reruns_total',
    help: 'Transactions run again after a conflict or a lost connection.',
    registers,
  })
  let read = async (): Promise<void> => {}
  return {
    observer: {
      open: (change) => open.inc(change),
      turnTaken: (ms) => turns.observe(ms / 1000),
      committed: (held) => {
        locks.observe(held.ms / 1000)
        statements.observe(held.statements)
        transactions.inc(held.transactions)
      },
      ranAgain: () => reruns.inc(),
    },
    answered: ({ operation, status, seconds }) => {
      requests.inc({ operation, status })
      if (seconds !== null) durations.observe({ operation }, seconds)
    },
    watch: (office, watch, log) => {
      read = addReadings(registry, office, watch, log)
    },
    text: async () => {
      await read()
      return { type: registry.contentType, body: await registry.metrics() }
    },
  }
}
