/**
 * A live book of a sandbox whose server dies at a failpoint and is restarted: a simulated authority behind TLS and a
 * webhook receiver record what it sends.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { startSello } from '../../../server/api/application.ts'
import type { RunningSello } from '../../../server/api/application.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import type { Step } from '../../../server/db/failpoints.ts'
import { memoryState } from '../../../server/registry/systems/verifactu/simulator/index.ts'
import { startAuthorityServer } from '../../../server/registry/systems/verifactu/simulator/server.ts'
import type { AuthorityServer } from '../../../server/registry/systems/verifactu/simulator/server.ts'
import { makeP12 } from '../files/certificates.ts'
import { startChild } from '../children/run.ts'
import type { Child } from '../children/run.ts'
import { startReceiver } from '../receiver.ts'
import type { Receiver } from '../receiver.ts'
import { EXAMPLE_COMPANY } from '../store.ts'
import { broken, promisedIn } from './books.ts'
import { confirmedDraft, issue, openClient } from './load.ts'
import type { Client, Place } from './load.ts'

type Invoice = OutputOf<'invoices.get'>

const PASSWORD = 'pasos'

/**
 * Other failpoints count once the invoice's own record is sealed: every transaction and leftovers of an earlier round
 * reach them too.
 */
const SEALED: Step = 'issue.record_sealed'

/**
 * Failpoints before which the authority has certainly processed the message: it is queried for the outcome, and
 * receives nothing again.
 */
const DEALT_WITH: readonly Step[] = ['sending.answer_begun', 'sending.answer_read', 'sending.outcome_written']

/** Actions other than issuing, sending and notifying that reach a failpoint. */
const DOING: Partial<Record<Step, (client: Client, webhook: string) => Promise<unknown>>> = {
  'store.log_emptied': (client, id) => client.window('webhooks.rotateSecret', { id }),
}

/** A child that has not died by then has not reached its failpoint; on a busy computer that takes a while. */
const DEATH_MS = 90_000

/** Waits until the child has died by itself, at that failpoint only. */
export async function diedAt(child: Child, step: Step): Promise<void> {
  const patience = setTimeout(() => void child.kill(), DEATH_MS)
  expect(await child.rest(), step).toEqual([{ reached: step }])
  expect(await child.ended(), step).toBe('SIGKILL')
  clearTimeout(patience)
}

export class DyingServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'sello-steps-'))
  private readonly state = memoryState()
  private readonly answers: unknown[] = []
  private readonly issued: Invoice[] = []
  private authority: AuthorityServer | null = null
  private receiver: Receiver | null = null
  private key: string | undefined
  private webhook = ''
  private drafts = 0

  private get environment(): Record<string, string> {
    return {
      SELLO_TEST_AUTHORITY_URL: this.authority?.url ?? '',
      SELLO_TEST_AUTHORITY_CA: join(this.folder, 'authority.pem'),
    }
  }

  /**
   * Creates the company, its certificate and a webhook, and sends a first invoice, so that the authority's pacing is
   * known.
   */
  async open(): Promise<void> {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }))
    const authority = await startAuthorityServer({ state: this.state, waitSeconds: 0 })
    this.authority = authority
    onTestFinished(() => authority.close())
    writeFileSync(join(this.folder, 'authority.pem'), authority.caPem)
    this.receiver = await startReceiver()
    const { url } = this.receiver
    await this.withServer(async (client) => {
      this.key = client.key
      const { p12 } = makeP12({
        kind: 'seal',
        nif: EXAMPLE_COMPANY.nif,
        name: 'Sello de Talleres Ejemplo',
        organization: EXAMPLE_COMPANY.legalName,
        organizationNif: EXAMPLE_COMPANY.nif,
        keyType: 'ec',
        from: '2025-01-01T00:00:00Z',
        to: '2039-01-01T00:00:00Z',
        password: PASSWORD,
      })
      await client.window('certificates.import', { file: p12.toString('base64'), password: PASSWORD })
      const { id } = await client.window('webhooks.createByPerson', {
        url,
        events: ['invoice.issued'],
        allowLocal: true,
      })
      this.webhook = id
      await this.settle(client, await confirmedDraft(client, this.drafts++))
    })
  }

  /** Opens the same books in this process for the duration of `work`. */
  private async withServer(work: (client: Client, running: RunningSello) => Promise<void>): Promise<void> {
    const running = await startSello({
      dataDir: join(this.folder, 'books'),
      create: true,
      sandbox: true,
      keychain: null,
      // The owner, who allows a live key to issue without approval.
      person: { available: () => true, ask: async () => true },
      cacheKib: 2048,
      port: 0,
      uiDir: null,
      environment: this.environment,
    })
    try {
      await work(await openClient(running, { known: this.key, mode: 'live' }), running)
    } finally {
      await running.close()
    }
  }

  /**
   * Issues, optionally several at once; the server dies the nth time it reaches the failpoint, is restarted and
   * receives the same requests again.
   */
  async dieAt(step: Step, { atOnce = 1, nth = 1 } = {}): Promise<void> {
    const child = startChild(
      'steps',
      [join(this.folder, 'books'), step, step.startsWith('issue.') ? '' : SEALED, String(nth)],
      {
        env: { ...process.env, ...this.environment },
      },
    )
    const place = (await child.line()) as unknown as Place
    const client = await openClient(place, { known: this.key, mode: 'live' })
    const drafts: Awaited<ReturnType<typeof confirmedDraft>>[] = []
    while (drafts.length < atOnce) drafts.push(await confirmedDraft(client, this.drafts++))
    const before = this.authority?.received()
    // A server that dies during an answer sends none.
    const answers = await Promise.all(drafts.map((draft) => issue(client, draft).catch(() => null)))
    this.answers.push(...answers.flatMap((answer) => (answer ? [answer.body] : [])))
    await DOING[step]?.(client, this.webhook).catch(() => null)
    await diedAt(child, step)
    expect(
      await broken(join(this.folder, 'books'), promisedIn(this.answers), { goOn: false, mode: 'live' }),
    ).toEqual([])
    await this.withServer(async (again) => {
      const taken = await Promise.all(drafts.map((draft) => this.settle(again, draft)))
      for (const [at, { id, number }] of taken.entries())
        if (answers[at]) expect(answers[at].body.data, step).toMatchObject({ id, number })
      if (DEALT_WITH.includes(step))
        expect(this.authority?.received(), step).toMatchObject({
          submissions: (before?.submissions ?? 0) + 1,
          queries: (before?.queries ?? 0) + 1,
        })
    })
  }

  /** Waits until it is issued, registered and notified. */
  private async settle(client: Client, draft: { id: string; confirmationToken: string }): Promise<Invoice> {
    const answer = await issue(client, draft)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    this.answers.push(answer.body)
    const { data } = answer.body
    this.issued.push(data)
    await vi.waitUntil(
      async () => {
        const { body } = await client.rest<Invoice>('GET', `/invoices/${data.id}`)
        return body.data.registry.status === 'accepted' && this.toldOf(data.id).length > 0
      },
      { timeout: 30_000, interval: 50 },
    )
    return data
  }

  /** Returns the messages about an invoice. */
  private toldOf(id: string): string[] {
    return (this.receiver?.messages ?? [])
      .filter(({ body }) => body.includes(id))
      .map((message) => message.id)
  }

  /**
   * Checks that everything acknowledged exists, that the authority holds each record once, and that each receiver was
   * notified of each invoice.
   */
  async prove(): Promise<void> {
    expect(
      await broken(join(this.folder, 'books'), promisedIn(this.answers), { goOn: false, mode: 'live' }),
    ).toEqual([])
    expect(new Set(this.issued.map(({ number }) => number)).size).toBe(this.issued.length)
    const held = this.state.records().map(({ hash }) => hash)
    expect(held.toSorted()).toEqual(this.issued.map(({ registry }) => registry.hash).toSorted())
    // Delivered at least once, and always as the same message.
    for (const { id, number } of this.issued) expect(new Set(this.toldOf(id)).size, String(number)).toBe(1)
  }
}
