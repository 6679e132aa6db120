/**
 * The server is killed at each step of submitting, asking for states and cancelling. After a restart an invoice is at the
 * portal at most once: what had not left leaves by itself, and what may have left waits for a person.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSello } from '../../../../server/api/application.ts'
import { FAILPOINTS } from '../../../../server/db/failpoints.ts'
import type { Step } from '../../../../server/db/failpoints.ts'
import { startPortalServer } from '../../../../server/integrations/portal/simulator/server.ts'
import { startChild } from '../../../support/children/run.ts'
import { openClient } from '../../../support/cuts/load.ts'
import type { Client, Place } from '../../../support/cuts/load.ts'
import { diedAt } from '../../../support/cuts/steps.ts'
import { swept } from '../../../support/sweep.ts'
import { companySeal, EMAIL, PUBLIC_BODY } from './samples.ts'

const STEPS = FAILPOINTS.filter((step) => step.startsWith('portal.'))
const DECISIVE: readonly Step[] = ['portal.answer_read', 'portal.cancellation_answered']

/** State of the submission after the restart, before a person says anything. */
const AFTER: Partial<Record<Step, 'unknown'>> = {
  'portal.send_written': 'unknown',
  'portal.answer_read': 'unknown',
  'portal.outcome_written': 'unknown',
}
/** Steps before which nothing reached the portal, and after the restart nothing does by itself. */
const NOT_THERE: readonly Step[] = ['portal.send_written']
const isOfStates = (step: Step): boolean => step.startsWith('portal.states_')
const isOfCancelling = (step: Step): boolean => step.startsWith('portal.cancellation_')

async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'sello-portal-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const portal = await startPortalServer()
  onTestFinished(() => portal.close())
  const ca = join(folder, 'portal.pem')
  writeFileSync(ca, portal.caPem)
  const environment = { SELLO_TEST_PORTAL_URL: portal.url, SELLO_TEST_PORTAL_CA: ca }
  const dataDir = join(folder, 'books')
  let key: string | undefined
  const withServer = async (work: (client: Client) => Promise<void>): Promise<void> => {
    const running = await startSello({
      dataDir,
      create: true,
      sandbox: true,
      keychain: null,
      person: { available: () => true, ask: async () => true },
      cacheKib: 2048,
      port: 0,
      uiDir: null,
      environment,
    })
    try {
      const client = await openClient(running, { known: key, mode: 'live' })
      key = client.key
      await work(client)
    } finally {
      await running.close()
    }
  }
  const dying = async (step: Step, work: (client: Client) => Promise<unknown>): Promise<void> => {
    const child = startChild('steps', [dataDir, step, '', '1'], { env: { ...process.env, ...environment } })
    const place = (await child.line()) as unknown as Place
    await work(await openClient(place, { known: key, mode: 'live' })).catch(() => null)
    await diedAt(child, step)
  }
  return { portal, withServer, dying }
}

const submissionsOf = async (client: Client, id: string) =>
  (await client.window('portal.ofInvoice', { id })).submissions

test.each(swept(STEPS, (step) => DECISIVE.includes(step)))(
  'killed at %s, an invoice is submitted once',
  { timeout: 120_000 },
  async (step) => {
    const { portal, withServer, dying } = await opened()
    let invoiceId = ''
    await withServer(async (client) => {
      await client.window('certificates.import', companySeal())
      await client.window('portal.setSettings', { email: EMAIL, live: true })
      const { id } = await client.window('invoices.create', PUBLIC_BODY)
      const { confirmation } = await client.window('invoices.validate', { id })
      const confirmationToken = confirmation?.confirmationToken ?? ''
      invoiceId = (await client.window('invoices.issue', { id, confirmationToken })).id
      if (isOfStates(step) || isOfCancelling(step)) await client.window('portal.submit', { invoiceId })
    })
    await dying(step, async (client) => {
      if (!isOfStates(step) && !isOfCancelling(step)) return client.window('portal.submit', { invoiceId })
      const [{ id } = { id: '' }] = await submissionsOf(client, invoiceId)
      return isOfStates(step)
        ? client.window('portal.refresh', { id })
        : client.window('portal.cancel', { id, reason: 'Por error' })
    })
    await withServer(async (client) => {
      const expected = AFTER[step] ?? 'registered'
      await vi.waitFor(
        async () => expect((await submissionsOf(client, invoiceId))[0]?.state, step).toBe(expected),
        { timeout: 20_000, interval: 100 },
      )
      const [submission] = await submissionsOf(client, invoiceId)
      const { id } = submission!
      expect(portal.state.list().length, step).toBe(NOT_THERE.includes(step) ? 0 : 1)
      if (expected === 'unknown') {
        const registryNumber = portal.state.list()[0]?.registryNumber ?? null
        await client.window('portal.settle', { id, registryNumber })
        if (registryNumber === null) await client.window('portal.submit', { invoiceId })
      }
      if (isOfCancelling(step))
        await vi.waitFor(
          async () =>
            expect((await submissionsOf(client, invoiceId))[0]?.cancellations, step).toMatchObject([
              { state: 'asked' },
            ]),
          { timeout: 20_000, interval: 100 },
        )
      const [after] = await submissionsOf(client, invoiceId)
      const seen = await client.window('portal.refresh', { id: after!.id })
      expect(seen).toMatchObject({ state: 'registered', processing: '1200' })
      const codes = seen.states.map(({ code }) => code)
      expect(codes.toSorted(), step).toEqual(isOfCancelling(step) ? ['1200', '4200'] : ['1200'])
      const asked = portal.state.list()[0]?.history.filter(({ code }) => code === '4200') ?? []
      expect(asked.length, step).toBe(isOfCancelling(step) ? 1 : 0)
      expect(portal.state.list().length, step).toBe(1)
    })
  },
)
