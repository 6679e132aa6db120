/** Many programs at one server: they read and write as fast as they are answered, for a given time. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dice } from '../seeded-random.ts'
import type { Dice } from '../seeded-random.ts'
import { confirmedDraft, draftOf, issue, openClient } from '../cuts/load.ts'
import type { Answer, Client, Place } from '../cuts/load.ts'

interface CrowdOptions {
  clients: number
  forMs: number
  /** Invoices that the clients issue at least, however long it takes. */
  atLeast?: number
  /** Process of the server, whose memory is measured; null if the system does not report it. */
  pid: number | null
  seed: number
}

interface CrowdReport {
  answers: number
  /** Faults with their frequency: only 2xx is expected. */
  wrong: Record<string, number>
  /** Content of the successful answers, for `promisedIn`. */
  told: { data: unknown }[]
  issued: number
  /** Latencies of each kind of request in milliseconds, sorted. */
  waits: Record<string, number[]>
  /** Resident memory of the server in MB, each second. */
  residentMb: number[]
}

const SAMPLE_MS = 1_000
const FILTERS = [
  '?limit=50',
  '?limit=50&state=issued',
  '?limit=20&paymentStatus=unpaid',
  '?limit=20&text=cliente',
  '?limit=50&totals=true',
]

function residentMbOf(pid: number): number | null {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kib === undefined ? null : Number(kib) / 1024
  } catch {
    return null
  }
}

/** Starts the clients. Resolves when the time is over and all requests have been answered. */
export async function crowd(
  place: Place,
  { clients, forMs, atLeast = 0, pid, seed }: CrowdOptions,
): Promise<CrowdReport> {
  const report: CrowdReport = {
    answers: 0,
    wrong: {},
    told: [],
    issued: 0,
    waits: {},
    residentMb: [],
  }
  const client = await openClient(place)
  const until = performance.now() + forMs
  let drafts = 0
  const watching = watch()

  async function watch(): Promise<void> {
    while (pid !== null && performance.now() < until) {
      const now = residentMbOf(pid)
      if (now !== null) report.residentMb.push(now)
      await sleep(SAMPLE_MS)
    }
  }

  function complain(what: string): void {
    report.wrong[what] = (report.wrong[what] ?? 0) + 1
  }

  /** Sends a request, and records its result and latency. */
  async function asked<T>(kind: string, work: () => Promise<Answer<T>>): Promise<T | null> {
    const begun = performance.now()
    const { status, body } = await work()
    ;(report.waits[kind] ??= []).push(performance.now() - begun)
    report.answers += 1
    if (status >= 300) complain(`${kind}: ${status} ${JSON.stringify(body.error)}`)
    return status < 300 ? body.data : null
  }

  async function turn(own: Client, random: Dice, known: string[]): Promise<void> {
    const roll = random.below(100)
    if (roll < 30) await asked('list', () => own.rest('GET', `/invoices${random.pick(FILTERS)}`))
    else if (roll < 60 && known.length > 0)
      await asked('get', () => own.rest('GET', `/invoices/${random.pick(known)}`))
    else if (roll < 75) {
      const draft = draftOf(drafts++)
      const made = await asked<{ id: string }>('create', () => own.rest('POST', '/invoices', draft))
      if (made) report.told.push({ data: made })
      if (made) known.push(made.id)
    } else {
      const confirmed = await confirmedDraft(own, drafts++)
      const begun = performance.now()
      const issued = await asked('issue', () => issue(own, confirmed))
      if (!issued) return
      report.issued += 1
      report.told.push({ data: issued })
      known.push(confirmed.id)
      // An occasional repetition, as by a client without an answer: it must return the same invoice.
      if (random.below(5) === 0) {
        const again = await asked('repeat', () => issue(own, confirmed))
        if (again && again.number !== issued.number)
          complain(`repeat: ${issued.number} became ${again.number}`)
      }
      if (performance.now() - begun > 10_000) complain('issue: it took more than ten seconds')
    }
  }

  async function one(index: number): Promise<void> {
    const random = dice(seed + index)
    const known: string[] = []
    while (performance.now() < until || report.issued < atLeast) await turn(client, random, known)
  }

  await Promise.all(Array.from({ length: clients }, (_, index) => one(index)))
  await watching
  for (const waits of Object.values(report.waits)) waits.sort((a, b) => a - b)
  return report
}
