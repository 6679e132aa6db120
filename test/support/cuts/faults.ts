/**
 * A server whose disk fails: its answers during the fault, its automatic recovery, and the content of its books
 * afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { startChild } from '../children/run.ts'
import type { Child } from '../children/run.ts'
import { broken, countInvoices, promisedIn } from './books.ts'
import { openFaults, watched } from './disk.ts'
import type { Fault, Faults } from './disk.ts'
import { confirmedDraft, draftOf, issue, openClient } from './load.ts'
import type { Answer, Client, Place } from './load.ts'

type Invoice = OutputOf<'invoices.get'>

interface FaultFigures {
  rounds: number
  /** Disk calls that failed. */
  failed: number
  /** Requests rejected with `store_readonly`, and their reasons. */
  refused: number
  reasons: string[]
  restarts: number
  issued: number
}

interface FaultOptions extends Pick<Fault, 'call' | 'error'> {
  /** Number of the failing call, round by round. In every second round all later ones fail too. */
  nths: readonly number[]
  /** After that many rounds it is killed with its disk still failing. */
  killEvery: number
}

/** Requests that write until the disk fails; far more than any round needs. */
const REQUESTS_AT_MOST = 60

class FailingServer {
  readonly figures: FaultFigures = { rounds: 0, failed: 0, refused: 0, reasons: [], restarts: 0, issued: 0 }
  readonly answers: unknown[] = []
  private readonly base = mkdtempSync(join(tmpdir(), 'sello-faults-'))
  private readonly folder = join(this.base, 'books')
  private readonly faults: Faults
  private child: Child | null = null
  private client: Client | null = null
  /** Requested drafts, each with its own key. */
  private drafts = 0
  private refusedDrafts: number[] = []
  /** An issued invoice that must be readable at all times. */
  private known = ''

  constructor() {
    onTestFinished(() => rmSync(this.base, { recursive: true, force: true }))
    this.faults = openFaults(join(this.base, 'fault'))
  }

  private get asking(): Client {
    if (!this.client) throw new Error('The server is not open.')
    return this.client
  }

  async start(): Promise<void> {
    const env = watched({ folder: this.folder, fault: join(this.base, 'fault') })
    this.child = startChild('books', [this.folder], { env })
    const place = (await this.child.line()) as unknown as Place
    this.client = await openClient(place, { known: this.client?.key })
  }

  /** Creates drafts until the disk fails, then retries the issue of one until it is accepted. */
  async round(fault: Fault, kill: boolean): Promise<void> {
    if (this.known === '') await this.take(await confirmedDraft(this.asking, this.drafts++))
    const draft = await confirmedDraft(this.asking, this.drafts++)
    this.faults.arm(fault)
    const first = await issue(this.asking, draft)
    this.note(first)
    for (let more = 0; this.faults.struck() === 0; more++) {
      expect(more, JSON.stringify(fault)).toBeLessThan(REQUESTS_AT_MOST)
      await this.draft(this.drafts++)
    }
    if (fault.lasting) await this.staysReadable(fault)
    this.figures.failed += this.faults.struck()
    if (kill) {
      await this.child?.kill()
      this.figures.restarts += 1
      this.faults.clear()
      await this.start()
    }
    this.faults.clear()
    await this.take(draft)
    for (const nth of this.refusedDrafts.splice(0))
      await vi.waitUntil(async () => (await this.draft(nth)).status < 300, { timeout: 30_000, interval: 40 })
    this.figures.rounds += 1
  }

  /** Requests a draft; a rejected one is requested again when the disk has recovered. */
  private async draft(nth: number): Promise<Answer<Invoice>> {
    const answer = await this.asking.rest<Invoice>('POST', '/invoices', draftOf(nth), `draft-${nth}`)
    this.note(answer)
    if (answer.status >= 300 && !this.refusedDrafts.includes(nth)) this.refusedDrafts.push(nth)
    return answer
  }

  /** Records an answer: the reason of a rejection, or a success. */
  private note(answer: Answer<Invoice>): void {
    if (answer.status < 300) {
      this.answers.push(answer.body)
      return
    }
    const { error } = answer.body
    const reason = String(error?.details?.reason)
    expect({ status: answer.status, code: error?.code, reason }).toEqual({
      status: 503,
      code: 'store_readonly',
      reason: expect.stringMatching(/SQLITE_(IOERR|FULL)/),
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    this.figures.refused += 1
    if (!this.figures.reasons.includes(reason)) this.figures.reasons.push(reason)
  }

  /** Checks that the content of the books can be read while all writes fail. */
  private async staysReadable(fault: Fault): Promise<void> {
    expect((await this.draft(this.drafts++)).status, JSON.stringify(fault)).toBe(503)
    const read = await this.asking.rest<Invoice>('GET', `/invoices/${this.known}`)
    expect(read.status, JSON.stringify(fault)).toBe(200)
    const list = await this.asking.rest<{ items: Invoice[] }>('GET', '/invoices?state=issued')
    expect(list.status, JSON.stringify(fault)).toBe(200)
  }

  /** Repeats the request until it is accepted and once more: nothing else is done to the books in the meantime. */
  private async take(draft: { id: string; confirmationToken: string }): Promise<void> {
    const taken = await vi.waitUntil(
      async () => {
        const answer = await issue(this.asking, draft)
        this.note(answer)
        return answer.status < 300 ? answer : null
      },
      { timeout: 30_000, interval: 40 },
    )
    const again = await issue(this.asking, draft)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body.data).toEqual(taken.body.data)
    this.known = draft.id
    this.figures.issued += 1
  }

  /** Kills and opens it: everything acknowledged exists, and nothing else. */
  async prove(): Promise<void> {
    await this.child?.kill()
    const promised = promisedIn(this.answers)
    const issued = [...promised.values()].filter(({ number }) => number !== null)
    expect(issued.length).toBe(this.figures.issued)
    expect(await countInvoices(this.folder)).toBe(this.drafts)
    // The next number follows the number of issues: none was issued twice.
    expect(await broken(this.folder, promised)).toEqual([])
    const numbers = issued.map(({ number }) => Number(number?.split('-').at(-1))).toSorted((a, b) => a - b)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  }
}

/** The calls and their faults. */
export const DISK_FAULTS = [
  ['sync', 'EIO'],
  ['sync', 'ENOSPC'],
  ['write', 'EIO'],
  ['write', 'ENOSPC'],
] as const satisfies readonly (readonly [Fault['call'], Fault['error']])[]

/** Makes disk calls fail round by round while invoices are issued over HTTP. */
export async function failDisk({ call, error, nths, killEvery }: FaultOptions): Promise<FaultFigures> {
  const server = new FailingServer()
  await server.start()
  for (const [index, nth] of nths.entries())
    await server.round({ call, error, nth, lasting: index % 2 === 1 }, index % killEvery === killEvery - 1)
  await server.prove()
  return server.figures
}
