/** Invoices to public bodies in a test book, with its simulated portal: submitted, moved from state to state, cancelled. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventsAfter } from '../../../../server/platform/events/index.ts'
import { workForBook } from '../../../../server/integrations/portal/jobs.ts'
import { verifyFacturae } from '../../../../server/documents/signing/index.ts'
import { openBooks, refused, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { needs, tool } from '../../../support/tools.ts'
import { EMAIL, openPortalBooks, PUBLIC_BODY, UNITS } from './samples.ts'

const SIGNAL = new AbortController().signal

const submitted = async (world: TestBooks, changes: Partial<typeof PUBLIC_BODY> = {}) => {
  const invoice = await world.invoice({ ...PUBLIC_BODY, ...changes })
  return world.run('portal.submit', { invoiceId: invoice.id })
}

const statesIn = ({ states }: Awaited<ReturnType<typeof submitted>>): string[] =>
  states.map(({ code }) => code)

test('an invoice is signed, submitted once and registered under a number', async () => {
  const world = await openPortalBooks()
  const invoice = await world.invoice(PUBLIC_BODY)
  expect(await world.run('portal.ofInvoice', { id: invoice.id })).toEqual({
    units: UNITS,
    unitsFrom: 'invoice',
    environment: 'simulator',
    whyNot: [],
    formatFault: null,
    submissions: [],
  })
  const submission = await world.run('portal.submit', { invoiceId: invoice.id })
  expect(submission).toMatchObject({
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    environment: 'simulator',
    units: UNITS,
    state: 'registered',
    isOpen: true,
    registryNumber: '202600000001',
    fileName: `${invoice.number}.xsig`,
    email: EMAIL,
    can: { cancel: true, refresh: true, settle: false },
  })
  const error = await refused(world.run('portal.submit', { invoiceId: invoice.id }))
  expect(error.code).toBe('portal_already_submitted')
  expect(error.details).toEqual({ id: submission.id })
  const file = await world.run('portal.file', { id: submission.id })
  expect(file.sha256).toBe(submission.sha256)
  const { root } = verifyFacturae(Buffer.from(file.bytes).toString('utf8'))
  expect(root.local).toBe('Facturae')
})

test('the public body accepts, books and pays it; each state is kept once, with its day', async () => {
  const world = await openPortalBooks({ at: '2026-07-01T10:00:00+02:00' })
  const submission = await submitted(world)
  const { id } = submission
  expect(statesIn(await world.run('portal.refresh', { id }))).toEqual(['1200'])
  world.setTime('2026-07-02T10:00:00+02:00')
  for (const code of ['1300', '2400', '2500'] as const) await world.run('portal.simulate', { id, code })
  const paid = await world.run('portal.refresh', { id })
  expect(statesIn(paid)).toEqual(['1200', '1300', '2400', '2500'])
  expect(paid.states[1]).toMatchObject({ kind: 'processing', seenAt: '2026-07-02T08:00:00.000Z' })
  expect(paid).toMatchObject({
    processing: '2500',
    isOpen: true,
    nextQueryAt: null,
    can: { cancel: false, refresh: false, settle: false },
  })
  expect(await refusal(world.run('portal.cancel', { id, reason: 'Por error' }))).toBe('portal_wrong_state')
  expect(await refusal(world.run('portal.submit', { invoiceId: paid.invoiceId }))).toBe(
    'portal_already_submitted',
  )
  const told = (await eventsAfter(world.test.db, 0, 500)).filter(
    ({ type }) => type === 'portal.state_changed',
  )
  expect(told.map(({ data }) => (data as { code: string | null }).code)).toEqual([
    null,
    '1200',
    '1300',
    '2400',
    '2500',
  ])
})

test('a rejected invoice says why, and may be submitted again', async () => {
  const world = await openPortalBooks()
  const { id, invoiceId } = await submitted(world)
  const rejected = await world.run('portal.simulate', { id, code: '2600', reason: 'Falta el expediente' })
  expect(rejected).toMatchObject({ processing: '2600', isOpen: false, nextQueryAt: null })
  expect(rejected.states.at(-1)).toMatchObject({ code: '2600', reason: 'Falta el expediente' })
  const again = await world.run('portal.submit', { invoiceId })
  expect(again).toMatchObject({ state: 'registered', registryNumber: '202600000002' })
  const { submissions } = await world.run('portal.ofInvoice', { id: invoiceId })
  expect(submissions.map((one) => one.id)).toEqual([again.id, id])
})

test('a cancellation is asked for, refused, asked for again and accepted', async () => {
  const world = await openPortalBooks()
  const { id, invoiceId } = await submitted(world)
  const asked = await world.run('portal.cancel', { id, reason: 'Importe equivocado' })
  expect(asked).toMatchObject({
    cancellation: '4200',
    cancellations: [{ state: 'asked', reason: 'Importe equivocado' }],
    can: { cancel: false },
  })
  expect(await refusal(world.run('portal.cancel', { id, reason: 'Otra vez' }))).toBe('portal_wrong_state')
  const kept = await world.run('portal.simulate', { id, code: '4400', reason: 'Ya está contabilizada' })
  expect(kept).toMatchObject({ cancellation: '4400', isOpen: true, can: { cancel: true } })
  await world.run('portal.cancel', { id, reason: 'De acuerdo entre ambos' })
  const cancelled = await world.run('portal.simulate', { id, code: '4300' })
  expect(cancelled).toMatchObject({
    processing: '3100',
    cancellation: '4300',
    isOpen: false,
    nextQueryAt: null,
  })
  expect(statesIn(cancelled)).toEqual(['1200', '4200', '4400', '4200', '3100', '4300'])
  expect((await world.run('portal.submit', { invoiceId })).state).toBe('registered')
})

test('states are asked for in the background, less and less often while nothing changes', async () => {
  const world = await openPortalBooks({ at: '2026-07-01T10:00:00Z' })
  const { id, nextQueryAt } = await submitted(world)
  expect(nextQueryAt).toBe('2026-07-01T10:01:00.000Z')
  const waits: number[] = []
  let at = nextQueryAt
  for (let look = 0; look < 9; look++) {
    world.setTime(at ?? '')
    await workForBook(world.env, world.books.test, SIGNAL)
    const next: string | null = (await world.run('portal.get', { id })).nextQueryAt
    waits.push((Date.parse(next ?? '') - Date.parse(at ?? '')) / 60_000)
    at = next
  }
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 720, 720, 720])
  await world.run('portal.simulate', { id, code: '1300' })
  expect((await world.run('portal.get', { id })).states.map(({ code }) => code)).toEqual(['1200', '1300'])
})

test('what keeps an invoice from the portal is named, all of it', async () => {
  const world = await openBooks()
  const draft = await world.draft(PUBLIC_BODY)
  expect((await world.run('portal.ofInvoice', { id: draft.id })).whyNot).toContain('not_issued')
  const invoice = await world.invoice({ clientName: 'Cliente, S.L.', clientNif: 'B87654323' })
  const { whyNot, formatFault } = await world.run('portal.ofInvoice', { id: invoice.id })
  expect(whyNot).toEqual(expect.arrayContaining(['units_missing', 'format']))
  expect(formatFault).toBe('recipient_address_missing')
  const error = await refused(world.run('portal.submit', { invoiceId: invoice.id }))
  expect(error.code).toBe('portal_not_possible')
  expect(error.details?.['why']).toEqual(whyNot)
  // The real service stays closed until a person opens it.
  const live = await world.run('portal.settings', {}, world.live)
  expect(live).toMatchObject({ live: false, liveBy: null })
})

test('the offices of the customer are used where the invoice has none, and others can be given', async () => {
  const world = await openPortalBooks()
  const { id: clientId } = await world.run('contacts.create', {
    name: PUBLIC_BODY.clientName,
    nif: PUBLIC_BODY.clientNif,
    address: PUBLIC_BODY.client.address,
  })
  const { clientName, lines } = PUBLIC_BODY
  const invoiceOf = async () =>
    world.issue((await world.run('invoices.create', { clientName, clientId, lines })).id)
  const first = await invoiceOf()
  expect((await world.run('portal.ofInvoice', { id: first.id })).whyNot).toEqual(['units_missing'])
  const dir3 = { ...UNITS, proposingBody: 'L01280799' }
  await world.run('contacts.update', { id: clientId, dir3 })
  expect((await world.run('contacts.get', { id: clientId })).dir3).toEqual(dir3)
  const submission = await world.run('portal.submit', { invoiceId: first.id })
  expect(submission).toMatchObject({ state: 'registered', units: dir3 })
  const { bytes } = await world.run('portal.file', { id: submission.id })
  expect(Buffer.from(bytes).toString('utf8')).toContain(
    '<CentreCode>L01280799</CentreCode><RoleTypeCode>04</RoleTypeCode>',
  )
  const second = await invoiceOf()
  const unknown = { accountingOffice: 'e99999999', managingBody: 'L01280797', processingUnit: 'L01280798' }
  expect(await world.run('portal.submit', { invoiceId: second.id, units: unknown })).toMatchObject({
    state: 'refused',
    isOpen: false,
    why: '9302',
  })
})

test('lines of an invoice to a public body name contract before order', async () => {
  const world = await openPortalBooks()
  const invoice = await world.invoice({
    ...PUBLIC_BODY,
    customerReferences: { order: 'PED-7', contract: 'C-15', file: 'EXP-1' },
  })
  const { id } = await world.run('portal.submit', { invoiceId: invoice.id })
  const { bytes } = await world.run('portal.file', { id })
  expect(Buffer.from(bytes).toString('utf8')).toContain(
    '<InvoiceLine><ReceiverContractReference>C-15</ReceiverContractReference>' +
      '<ReceiverTransactionReference>PED-7</ReceiverTransactionReference><FileReference>EXP-1</FileReference><ItemDescription>',
  )
})

test('submissions are listed by state, in pages', async () => {
  const world = await openPortalBooks()
  const ids: string[] = []
  for (let at = 0; at < 3; at++) ids.unshift((await submitted(world)).id)
  const first = await world.run('portal.list', { limit: 2, open: true })
  expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  const rest = await world.run('portal.list', { limit: 2, open: true, cursor: first.nextCursor ?? '' })
  expect(rest.items.map(({ id }) => id)).toEqual(ids.slice(2))
  expect((await world.run('portal.list', { state: 'unknown' })).items).toEqual([])
})

needs('xmlsec1')('the submitted file is valid for xmlsec', async () => {
  const world = await openPortalBooks()
  const { id } = await submitted(world)
  const { bytes } = await world.run('portal.file', { id })
  const xml = Buffer.from(bytes).toString('utf8')
  const folder = mkdtempSync(join(tmpdir(), 'sello-xsig-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'invoice.xsig')
  const pem = `${file}.pem`
  writeFileSync(file, bytes)
  const { certificate } = verifyFacturae(xml)
  writeFileSync(pem, certificate.toString())
  const ids = ['SignedProperties', 'KeyInfo'].flatMap((name) => ['--id-attr:Id', name])
  const verified = spawnSync(tool('xmlsec1')!, ['--verify', '--pubkey-cert-pem', pem, ...ids, file], {
    encoding: 'utf8',
  })
  expect(verified.stdout + verified.stderr).toContain('References (ok/all): 3/3')
})
