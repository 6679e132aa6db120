/**
 * The live book of a sandbox at the portal over real TLS: accepted, rejected, paid and cancelled; and answers that are lost,
 * late, wrong, unsigned or forged, after which an invoice is there once.
 */
import { expect, test } from 'vitest'
import { createPortalJobs, portalWork } from '../../../../server/integrations/portal/index.ts'
import { workForBook } from '../../../../server/integrations/portal/jobs.ts'
import type { PortalFault } from '../../../../server/integrations/portal/simulator/index.ts'
import { companyOf, refused, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { openLiveAt, PUBLIC_BODY, startPortal } from './samples.ts'

const AT = '2026-07-01T10:00:00Z'
const SIGNAL = new AbortController().signal

async function opened() {
  let world: TestBooks | null = null
  const portal = await startPortal(() => world?.env.now() ?? new Date(AT))
  world = await openLiveAt(portal, AT)
  const { run } = world
  const live = world
  return {
    portal,
    world,
    run: ((name, input) => run(name, input, live.live)) as TestBooks['run'],
    invoice: () => live.invoice(PUBLIC_BODY, live.live),
  }
}

test('accepted, rejected, paid and cancelled, over TLS with the company’s certificate', async () => {
  const { portal, run, invoice } = await opened()
  const ends: string[] = []
  for (const path of [['1300', '2400', '2500'], ['1300', '2600'], ['2400']]) {
    const { id } = await invoice()
    const submission = await run('portal.submit', { invoiceId: id })
    expect(submission).toMatchObject({ state: 'registered', environment: 'production' })
    for (const code of path) expect(await portal.move(submission.registryNumber ?? '', code, null)).toBe(true)
    if (path.length === 1) {
      await run('portal.cancel', { id: submission.id, reason: 'Por error' })
      expect(await portal.move(submission.registryNumber ?? '', '4300', 'De acuerdo')).toBe(true)
    }
    const seen = await run('portal.refresh', { id: submission.id })
    ends.push(`${seen.processing} ${seen.cancellation}`)
  }
  expect(ends).toEqual(['2500 4100', '2600 4100', '3100 4300'])
  expect(portal.state.list().map(({ callers }) => callers)).toEqual(Array(3).fill(['B12345674']))
})

/** What the portal or the network does, and what becomes of the submission; and whether the portal has it then. */
const FAULTS: readonly (readonly [PortalFault, state: string, why: string | null, isThere: boolean])[] = [
  [{ kind: 'drop_request' }, 'unknown', 'answer_lost', false],
  [{ kind: 'drop_reply' }, 'unknown', 'answer_lost', true],
  [{ kind: 'half_body' }, 'unknown', 'answer_lost', true],
  [{ kind: 'unsigned' }, 'unknown', 'answer_lost', true],
  [{ kind: 'forged' }, 'unknown', 'answer_lost', true],
  [{ kind: 'error_500' }, 'unknown', 'answer_lost', false],
  [{ kind: 'error_500', processed: true }, 'unknown', 'answer_lost', true],
  [{ kind: 'html_200', processed: true }, 'unknown', 'answer_lost', true],
  [{ kind: 'server_fault', processed: true }, 'unknown', 'answer_lost', true],
  [{ kind: 'slow', ms: 50 }, 'registered', null, true],
  [{ kind: 'refuse', code: '408' }, 'refused', '408', false],
]

test.each(FAULTS)('after %o it is %s', async (fault, state, why, isThere) => {
  const { portal, world, run, invoice } = await opened()
  const { id: invoiceId } = await invoice()
  portal.control.next(fault)
  const submission = await run('portal.submit', { invoiceId })
  expect(submission).toMatchObject({ state, why })
  expect(portal.state.list().length).toBe(isThere ? 1 : 0)
  // Nothing is sent again by itself, however long it takes.
  world.setTime('2026-07-09T10:00:00Z')
  await workForBook(world.env, world.books.live, SIGNAL)
  expect(portal.state.list().length).toBe(isThere ? 1 : 0)
  if (state !== 'unknown') return
  expect(await refusal(run('portal.submit', { invoiceId }))).toBe('portal_already_submitted')
  const wrong = await refused(run('portal.settle', { id: submission.id, registryNumber: '202699999999' }))
  expect(wrong.code).toBe('portal_number_unknown')
  if (isThere) {
    const settled = await run('portal.settle', { id: submission.id, registryNumber: '202600000001' })
    expect(settled).toMatchObject({ state: 'registered', processing: '1200', can: { settle: false } })
    return
  }
  expect(await run('portal.settle', { id: submission.id, registryNumber: null })).toMatchObject({
    state: 'not_arrived',
    isOpen: false,
  })
  expect(await run('portal.submit', { invoiceId })).toMatchObject({ state: 'registered' })
  expect(portal.state.list().length).toBe(1)
})

test('if a person is wrong about a lost one, the portal refuses the second, and the first is found', async () => {
  const { portal, run, invoice } = await opened()
  const { id: invoiceId } = await invoice()
  portal.control.next({ kind: 'drop_reply' })
  const lost = await run('portal.submit', { invoiceId })
  await run('portal.settle', { id: lost.id, registryNumber: null })
  const second = await run('portal.submit', { invoiceId })
  expect(second).toMatchObject({ state: 'refused', why: 'duplicate', can: { settle: true } })
  const found = await run('portal.settle', { id: second.id, registryNumber: '202600000001' })
  expect(found).toMatchObject({ state: 'registered', isOpen: true })
  expect(portal.state.list().length).toBe(1)
})

test('while the portal is down an invoice waits, and leaves by itself later', async () => {
  const { portal, world, run, invoice } = await opened()
  world.env.portalMockEndpoint = { url: 'https://127.0.0.1:1', caPem: portal.caPem }
  const { id: invoiceId } = await invoice()
  const waiting = await run('portal.submit', { invoiceId })
  expect(waiting).toMatchObject({
    state: 'waiting',
    why: 'unreachable',
    sentAt: null,
    nextAttemptAt: '2026-07-01T10:01:00.000Z',
  })
  world.setTime('2026-07-01T10:01:00Z')
  const next = await workForBook(world.env, world.books.live, SIGNAL)
  expect(new Date(next ?? 0).toISOString()).toBe('2026-07-01T10:03:00.000Z')
  world.env.portalMockEndpoint = { url: portal.url, caPem: portal.caPem }
  world.setTime('2026-07-01T10:03:00Z')
  await workForBook(world.env, world.books.live, SIGNAL)
  expect(await run('portal.get', { id: waiting.id })).toMatchObject({ state: 'registered', why: null })
  expect(portal.state.list().length).toBe(1)
})

test('an invoice that waits can be taken back', async () => {
  const { portal, world, run, invoice } = await opened()
  world.env.portalMockEndpoint = { url: 'https://127.0.0.1:1', caPem: portal.caPem }
  const { id: invoiceId } = await invoice()
  const { id } = await run('portal.submit', { invoiceId })
  expect(await run('portal.cancel', { id, reason: 'Todavía no' })).toMatchObject({
    state: 'withdrawn',
    isOpen: false,
  })
  world.env.portalMockEndpoint = { url: portal.url, caPem: portal.caPem }
  world.setTime('2026-07-02T10:00:00Z')
  await workForBook(world.env, world.books.live, SIGNAL)
  expect(portal.state.list()).toEqual([])
})

test.each([
  [{ kind: 'drop_request' }, ['4200']],
  [{ kind: 'drop_reply' }, ['4200']],
  [{ kind: 'error_500', processed: true }, ['4200']],
] as const)('a cancellation after %o is asked for once', async (fault, expected) => {
  const { portal, world, run, invoice } = await opened()
  const { id: invoiceId } = await invoice()
  const { id } = await run('portal.submit', { invoiceId })
  portal.control.next(fault, { on: 'cancel' })
  const lost = await run('portal.cancel', { id, reason: 'Por error' })
  expect(lost.cancellations).toMatchObject([{ state: 'unknown', why: 'answer_lost' }])
  world.setTime('2026-07-01T12:00:00Z')
  await workForBook(world.env, world.books.live, SIGNAL)
  const settled = await run('portal.get', { id })
  expect(settled).toMatchObject({ cancellation: '4200', cancellations: [{ state: 'asked' }] })
  const [held] = portal.state.list()
  expect(held?.history.filter(({ kind }) => kind === 'cancellation').map(({ code }) => code)).toEqual(
    expected,
  )
})

test('another server than the portal gets nothing', async () => {
  const { portal, world, run, invoice } = await opened()
  const other = await startPortal(() => world.env.now())
  world.env.portalMockEndpoint = { url: other.url, caPem: portal.caPem }
  const { id: invoiceId } = await invoice()
  expect(await run('portal.submit', { invoiceId })).toMatchObject({ state: 'waiting', why: 'not_trusted' })
  expect(other.state.list()).toEqual([])
})

test('what a process had claimed when it ended is given back, or is of unknown outcome', async () => {
  const { world, run, invoice } = await opened()
  const { id: invoiceId } = await invoice()
  const { id } = await run('portal.submit', { invoiceId })
  const work = portalWork({ env: world.env, log: () => {} })
  await world.tamper(
    `update portal_submissions set state = 'sent', registry_number = null, lease_until = 1, next_query_at = null where public_id = '${id}'`,
  )
  await work.reclaim?.(companyOf(world), false)
  expect(await run('portal.get', { id })).toMatchObject({ state: 'unknown', why: 'interrupted' })
  await createPortalJobs({ env: world.env, log: () => {} }).stop()
})

test('a key of live books submits by itself only if no approval is asked of it', async () => {
  const { world, invoice, portal } = await opened()
  const { id: invoiceId } = await invoice()
  const submitAs = async (changes: { approval: 'always' | 'never' }) =>
    world.run(
      'portal.submit',
      { invoiceId },
      world.ctx(world.books.live, await world.key(changes, world.books.live)),
    )
  expect(await refusal(submitAs({ approval: 'always' }))).toBe('step_for_the_owner')
  expect(portal.state.list()).toEqual([])
  expect(await submitAs({ approval: 'never' })).toMatchObject({ state: 'registered' })
})
