/** Amending: a new record says what changed, the invoice stays as issued, and an annulled one comes back. */
import { describe, expect, test } from 'vitest'
import { eventsAfter } from '../../../../../server/platform/events/index.ts'
import { verifyTotals } from '../../../../../server/sales/invoices/index.ts'
import { CLIENT_ADDRESS, openBooks, refusal } from '../../../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../../../support/books.ts'
import { amend, cancel, refusing, stepToken, validateStep } from '../steps.ts'
import type { Changes } from '../steps.ts'

async function registered(world: TestBooks, changes: Partial<DraftInput> = {}): Promise<Invoice> {
  const { id } = await world.invoice({ client: { address: CLIENT_ADDRESS }, ...changes })
  await world.send()
  return world.run('invoices.get', { id })
}

async function registrations(world: TestBooks, invoiceId: string) {
  return (await world.run('registry.status', { invoiceId })).registrations ?? []
}

/** What differs between two records, element by element, apart from what no two records share. */
function differences(before: string, after: string): string[] {
  const elements = (xml: string) =>
    [...xml.matchAll(/<sf:(\w+)>([^<]*)<\/sf:\1>/g)]
      .map(([, name, value]) => `${name}=${value}`)
      .filter((text) => !/^(RefExterna|Huella|FechaHoraHusoGenRegistro|PrimerRegistro)=/.test(text))
  const chained = /<sf:Encadenamiento>.*?<\/sf:Encadenamiento>/
  const [from, to] = [elements(before.replace(chained, '')), elements(after.replace(chained, ''))]
  return [
    ...from.filter((element) => !to.includes(element)).map((element) => `- ${element}`),
    ...to.filter((element) => !from.includes(element)).map((element) => `+ ${element}`),
  ]
}

describe('validate', () => {
  test('what would change, what follows from it, and a token', async () => {
    const world = await openBooks()
    const { id, number } = await registered(world)
    const changes = { clientNif: 'B11111119', description: 'Obra en Madrid' }
    const result = await validateStep(world, id, 'amend', changes)
    expect(result).toMatchObject({
      valid: true,
      preview: {
        number,
        total: 605,
        client: { name: 'Cliente Primero, S.L.', nif: 'B11111119', country: 'ES' },
        record: {
          kind: 'registration',
          turn: 'correction',
          reactivates: false,
          changes: [
            { field: 'clientNif', from: 'B87654323', to: 'B11111119' },
            { field: 'description', from: 'Servicios de consultoría', to: 'Obra en Madrid' },
          ],
          registration: {
            clientName: 'Cliente Primero, S.L.',
            clientNif: 'B11111119',
            clientCountry: 'ES',
            clientIdType: null,
            description: 'Obra en Madrid',
            operationDate: null,
            breakdown: [{ taxTreatment: 'S1', regimeKey: '01' }],
          },
        },
      },
      confirmation: { confirmationToken: expect.stringMatching(/^svct_/) },
    })
    expect(result.issues.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'warning amend_not_amounts',
    ])
    const unchanged = await validateStep(world, id, 'amend')
    expect(unchanged.issues.map(({ code }) => code)).toEqual(['amend_not_amounts', 'amend_unchanged'])
    expect(unchanged).toMatchObject({ valid: true, preview: { record: { changes: [] } } })
  })

  test.each<[string, Partial<DraftInput>, Changes, string]>([
    ['a wrong control letter', {}, { clientNif: '12345678A' }, 'changes.clientNif: nif_invalid'],
    ['no tax number at all', {}, { clientNif: 'HOLA' }, 'changes.clientNif: nif_invalid'],
    [
      'a country without the kind of number',
      {},
      { clientCountry: 'DE', clientNif: 'X1' },
      'changes.clientIdType: client_id_type_missing',
    ],
    [
      'a kind of number that Spain has not',
      {},
      { clientIdType: '04' },
      'changes.clientIdType: id_type_country',
    ],
    [
      'an EU number without its country',
      {},
      { clientIdType: '02', clientNif: '123456789' },
      'changes.clientIdType: id_type_country',
    ],
    [
      'an EU number of no form',
      {},
      { clientIdType: '02', clientNif: 'DE1' },
      'changes.clientNif: vat_number_shape',
    ],
    [
      'tax taken away',
      {},
      { breakdown: [{ index: 0, taxTreatment: 'N1' }] },
      'changes.breakdown[0].taxTreatment: amend_treatment_taxed',
    ],
    [
      'another line than there is',
      {},
      { breakdown: [{ index: 1 }] },
      'changes.breakdown[0].index: amend_line_unknown',
    ],
    [
      'the customer of a simplified invoice',
      { kind: 'F2', clientNif: null },
      { clientName: 'Ana' },
      'changes.clientName: amend_no_customer',
    ],
  ])('%s is told with its field, and there is no token', async (_name, draft, changes, fault) => {
    const world = await openBooks()
    const { id } = await registered(world, draft)
    const result = await validateStep(world, id, 'amend', changes)
    expect(result.valid).toBe(false)
    expect(result).not.toHaveProperty('confirmation')
    const errors = result.issues.filter((issue) => issue.severity === 'error')
    expect(errors.map(({ field, code }) => `${field}: ${code}`)).toEqual([fault])
  })

  test("the registry's own rules are asked of the amended record", async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    for (const [changes, field] of [
      [{ operationDate: '2026-12-01' }, 'changes.operationDate'],
      [{ breakdown: [{ index: 0, regimeKey: '02' }] }, 'changes.breakdown'],
    ] satisfies [Changes, string][]) {
      const { valid, issues } = await validateStep(world, id, 'amend', changes)
      expect(valid, field).toBe(false)
      const errors = issues.filter((issue) => issue.severity === 'error')
      expect([...new Set(errors.map((issue) => issue.field))]).toEqual([field])
      expect(errors.every((issue) => issue.authorityCode)).toBe(true)
    }
  })
})

describe('amend', () => {
  test('record, amendment, history and event come together; the invoice stays as it was issued', async () => {
    const world = await openBooks()
    const issued = await registered(world)
    const reader = world.ctx(world.books.test).db
    const row = () => reader.selectFrom('invoices').selectAll().where('public_id', '=', issued.id).execute()
    const [before] = await row()
    const last = (await eventsAfter(reader, 0)).at(-1)?.id ?? 0
    const months = await reader.selectFrom('month_figures').selectAll().execute()
    const answer = await amend(world, issued.id, { clientNif: 'B11111119', operationDate: '2026-11-02' })
    expect(answer).toMatchObject({
      clientNif: 'B87654323',
      operationDate: null,
      contentHash: issued.contentHash,
      amountDue: 605,
      payment: { status: 'unpaid' },
      registry: { status: 'pending' },
      actions: ['pdf', 'duplicate', 'rectify', 'pay'],
    })
    expect(answer.history.at(-1)).toMatchObject({ action: 'invoice.amended', outcome: 'ok' })
    expect(await row()).toEqual([{ ...before, registry_status: 'pending' }])
    expect(await reader.selectFrom('month_figures').selectAll().execute()).toEqual(months)
    const events = await eventsAfter(reader, last)
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['invoice.amended', { invoiceId: issued.id, number: issued.number }],
    ])
    await world.send()
    const [first, second] = await registrations(world, issued.id)
    expect(second).toMatchObject({
      kind: 'registration',
      turn: 'correction',
      status: 'accepted',
      changes: [
        { field: 'clientNif', from: 'B87654323', to: 'B11111119' },
        { field: 'operationDate', from: null, to: '2026-11-02' },
      ],
    })
    expect(first).not.toHaveProperty('changes')
    expect(differences(first?.xml ?? '', second?.xml ?? '')).toEqual([
      '- NIF=B87654323',
      '+ Subsanacion=S',
      '+ FechaOperacion=02-11-2026',
      '+ NIF=B11111119',
    ])
    expect(await world.run('invoices.get', { id: issued.id })).toMatchObject({
      registry: { status: 'accepted' },
      actions: ['pdf', 'duplicate', 'rectify', 'pay', 'cancel', 'amend'],
    })
    expect(await verifyTotals(world.test)).toMatchObject({ ok: true })
  })

  test('a refused first registration is corrected as one the registry does not hold', async () => {
    const world = await openBooks()
    const { id } = await world.invoice({ clientName: 'Nadie', clientNif: '99999999R' })
    await world.send()
    expect((await world.run('registry.status', {})).attention).toHaveLength(1)
    await amend(world, id, { clientNif: '12345678Z' })
    await world.send()
    const [first, second] = await registrations(world, id)
    expect(differences(first?.xml ?? '', second?.xml ?? '')).toEqual([
      '- NIF=99999999R',
      '+ Subsanacion=S',
      '+ RechazoPrevio=X',
      '+ NIF=12345678Z',
    ])
    expect(second).toMatchObject({ turn: 'unregistered', status: 'accepted' })
    expect((await world.run('registry.status', {})).attention).toEqual([])
  })

  test('each amendment starts from what the registry was told last, whatever became of it', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    await amend(world, id, { description: 'Segunda', clientNif: '99999999R' })
    await world.send()
    expect((await world.run('invoices.get', { id })).registry.status).toBe('rejected')
    const third = await validateStep(world, id, 'amend', { clientNif: 'B87654323' })
    expect(third.preview.record).toMatchObject({
      turn: 'correction_after_rejection',
      changes: [{ field: 'clientNif', from: '99999999R', to: 'B87654323' }],
      registration: { description: 'Segunda' },
    })
    await amend(world, id, { clientNif: 'B87654323' })
    await world.send()
    const records = await registrations(world, id)
    expect(records.map(({ turn, status }) => `${turn} ${status}`)).toEqual([
      'first accepted',
      'correction rejected',
      'correction_after_rejection accepted',
    ])
    expect(differences(records[0]?.xml ?? '', records[2]?.xml ?? '')).toEqual([
      '- DescripcionOperacion=Servicios de consultoría',
      '+ Subsanacion=S',
      '+ RechazoPrevio=S',
      '+ DescripcionOperacion=Segunda',
    ])
  })

  test('a foreign customer, a regime and an exemption in the exact elements of the record', async () => {
    const world = await openBooks()
    const { id } = await registered(world, {
      lines: [
        { description: 'Pieza', quantity: 1, unitPrice: 100, taxTreatment: 'E1' },
        { description: 'Trabajo', quantity: 1, unitPrice: 50 },
      ],
    })
    await amend(world, id, {
      clientName: 'Client SARL',
      clientNif: 'FR12345678901',
      clientIdType: '02',
      breakdown: [
        { index: 0, regimeKey: '07' },
        { index: 1, taxTreatment: 'E5' },
      ],
    })
    await world.send()
    const [first, second] = await registrations(world, id)
    expect(differences(first?.xml ?? '', second?.xml ?? '')).toEqual([
      '- NombreRazon=Cliente Primero, S.L.',
      '- NIF=B87654323',
      '- OperacionExenta=E1',
      '+ Subsanacion=S',
      '+ NombreRazon=Client SARL',
      '+ IDType=02',
      '+ ID=FR12345678901',
      '+ ClaveRegimen=07',
      '+ OperacionExenta=E5',
    ])
    expect(second?.status).toBe('accepted')
  })

  test('nothing changed: the same record again, as a correction', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    await amend(world, id)
    await world.send()
    const [first, second] = await registrations(world, id)
    expect(differences(first?.xml ?? '', second?.xml ?? '')).toEqual(['+ Subsanacion=S'])
    expect(second).toMatchObject({ changes: [], status: 'accepted' })
  })

  test('the token holds the changes: what is sent with it is what was shown', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    const token = await stepToken(world, id, 'amend', { description: 'Mostrada' })
    const more = { id, confirmationToken: token, changes: { description: 'Otra' } }
    expect(await refusal(world.run('invoices.amend', more as never))).toBe('validation_failed')
    await world.run('invoices.amend', { id, confirmationToken: token })
    expect((await registrations(world, id))[1]?.xml).toContain('>Mostrada<')
    expect(await world.run('invoices.amend', { id, confirmationToken: token })).toMatchObject({
      replayed: true,
    })
    expect(await registrations(world, id)).toHaveLength(2)
  })
})

describe('an annulled invoice', () => {
  test('comes back into force and into the figures, with what is still owed of it', async () => {
    const world = await openBooks()
    const { id } = await registered(world, {
      dueDate: '2026-12-01',
      operationDate: '2026-09-30',
      withholdingPct: 7,
    })
    const figures = async () => ({
      months: await world.ctx(world.books.test).db.selectFrom('month_figures').selectAll().execute(),
      totals: await world.ctx(world.books.test).db.selectFrom('period_totals').selectAll().execute(),
      list: (await world.run('invoices.list', { totals: true })).totals,
      dashboard: (await world.run('dashboard.get', {})).owed,
      summary: (await world.run('fiscal.summary', { year: 2026 })).output,
    })
    const before = await figures()
    await cancel(world, id)
    await world.send()
    expect(await figures()).not.toEqual(before)
    const { preview, issues } = await validateStep(world, id, 'amend')
    expect(preview.record).toMatchObject({ turn: 'correction', reactivates: true, changes: [] })
    expect(issues.map(({ code }) => code)).toEqual(['amend_not_amounts', 'amend_reactivates'])
    const back = await amend(world, id)
    expect(back.cancelledAt).toBeUndefined()
    expect(back).toMatchObject({ amountDue: 570, payment: { status: 'unpaid' } })
    expect(await figures()).toEqual(before)
    await world.send()
    expect(await world.run('invoices.get', { id })).toMatchObject({
      registry: { status: 'accepted' },
      actions: ['pdf', 'duplicate', 'rectify', 'pay', 'cancel', 'amend'],
    })
    expect((await registrations(world, id)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'registration accepted',
      'cancellation accepted',
      'registration accepted',
    ])
    // And may be annulled again.
    await cancel(world, id)
    await world.send()
    expect((await world.run('invoices.get', { id })).registry.status).toBe('cancelled')
    expect(await verifyTotals(world.test)).toMatchObject({ ok: true })
  })

  test('whose annulment was refused comes back by a correction of what is held', async () => {
    const world = await openBooks()
    const { id } = await registered(world)
    await cancel(world, id)
    await world.send(refusing(world.test, ({ kind }) => (kind === 'cancellation' ? '1104' : null)))
    expect((await validateStep(world, id, 'amend')).preview.record).toMatchObject({
      turn: 'correction',
      reactivates: true,
    })
    await amend(world, id)
    await world.send()
    expect(await world.run('invoices.get', { id })).toMatchObject({
      amountDue: 605,
      registry: { status: 'accepted' },
    })
    expect(await verifyTotals(world.test)).toMatchObject({ ok: true })
  })

  test('that nothing is owed of comes back owing nothing', async () => {
    const world = await openBooks()
    const { id } = await registered(world, {
      lines: [
        { description: 'x', quantity: 1, unitPrice: 100 },
        { description: 'abono', quantity: 1, unitPrice: -100, vatRate: 21 },
      ],
    })
    await cancel(world, id)
    await world.send()
    expect(await amend(world, id)).toMatchObject({ amountDue: 0, payment: { status: 'paid' } })
    expect(await verifyTotals(world.test)).toMatchObject({ ok: true })
  })
})
