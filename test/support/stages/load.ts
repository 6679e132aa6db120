/** A crowd of programs at one server: they read and write as fast as they are answered, for as long as they are let. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dice } from '../seeded-random.ts'
import type { Dice } from '../seeded-random.ts'
import { confirmedDraft, draftOf, issue, openClient } from '../cuts/load.ts'
import type { Answer, Client, Place } from '../cuts/load.ts'

export interface CrowdOptions {
  clients: number
  forMs: number
  /** Of the server, whose memory is looked at; null where the system does not tell. */
  pid: number | null
  seed: number
}

export interface CrowdReport {
  answers: number
  /** What went wrong, and how often: no answer but 2xx is expected. */
  wrong: Record<string, number>
  /** What the successful answers said, for `promisedIn`. */
  told: { data: unknown }[]
  issued: number
  /** How long each kind of request took, in milliseconds, shortest first. */
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

/** Lets the crowd in. Answers when the time is over and everybody has been answered. */
export async function crowd(place: Place, { clients, forMs, pid, seed }: CrowdOptions): Promise<CrowdReport> {
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

  /** Asks, and writes down what came of it and how long it took. */
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
      // A repetition now and then, as of a client that did not hear: it has to be the same invoice.
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
    while (performance.now() < until) await turn(client, random, known)
  }

  await Promise.all(Array.from({ length: clients }, (_, index) => one(index)))
  await watching
  for (const waits of Object.values(report.waits)) waits.sort((a, b) => a - b)
  return report
}
