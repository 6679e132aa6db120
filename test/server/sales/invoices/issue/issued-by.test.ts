/** Invoices that a third party or the customer issues in the company's name: record, paper, series, refusals. */
import { describe, expect, test } from 'vitest'
import { totalsOf } from '../../../../../server/sales/invoices/index.ts'
import {
  contentHash,
  mentionsOf,
  PLAIN_CONTENT,
  PLAIN_LINE,
} from '../../../../../server/sales/invoices/content.ts'
import type { DraftContent } from '../../../../../server/sales/invoices/content.ts'
import { DOCUMENT_LANGUAGES } from '../../../../../server/domain/languages.ts'
import { CLIENT_ADDRESS, openBooks } from '../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../support/books.ts'

type IssuedBy = NonNullable<DraftInput['issuedBy']>

const ADVISER: IssuedBy = { kind: 'third_party', name: ' Gestoría Ebro, S.L.P. ', nif: 'b-8765432 3' }
const OTHER_ADVISER: IssuedBy = { kind: 'third_party', name: 'Plataforma, S.A.', nif: 'A58818501' }
const CLIENT = { clientNif: '12345678Z', client: { address: CLIENT_ADDRESS } }

async function openWithSeries(): Promise<TestBooks> {
  const world = await openBooks()
  await world.run('series.create', { code: 'GEST', kind: 'ordinary', purpose: 'third_party' })
  await world.run('series.create', { code: 'GESTS', kind: 'simplified', purpose: 'third_party' })
  await world.run('series.create', { code: 'CLI', kind: 'ordinary', purpose: 'recipient' })
  await world.run('series.create', { code: 'CLI2', kind: 'ordinary', purpose: 'recipient' })
  return world
}

async function faultsOf(world: TestBooks, draft: Partial<DraftInput>): Promise<Record<string, string>[]> {
  const { id } = await world.draft({ ...CLIENT, ...draft })
  const { issues } = await world.run('invoices.validate', { id })
  return issues.flatMap(({ code, field, severity, authorityCode }) =>
    code.startsWith('issued_by') ? [{ code, field, severity, authorityCode: authorityCode ?? '' }] : [],
  )
}

async function xmlOf(world: TestBooks, invoiceId: string): Promise<string> {
  const { registrations } = await world.run('registry.status', { invoiceId })
  return registrations?.at(-1)?.xml ?? ''
}

describe('the record', () => {
  test('names the third party between the description and the recipient, and is accepted', async () => {
    const world = await openWithSeries()
    const issued = await world.invoice({ ...CLIENT, series: 'GEST', issuedBy: ADVISER })
    expect(issued).toMatchObject({
      number: 'T-GEST-0001',
      issuedBy: { kind: 'third_party', name: 'Gestoría Ebro, S.L.P.', nif: 'B87654323', country: 'ES' },
      legalMentions: ['Expedida por Gestoría Ebro, S.L.P. (B87654323) en nombre y por cuenta del emisor'],
    })
    expect(await xmlOf(world, issued.id)).toContain(
      '</sf:DescripcionOperacion><sf:EmitidaPorTerceroODestinatario>T</sf:EmitidaPorTerceroODestinatario>' +
        '<sf:Tercero><sf:NombreRazon>Gestoría Ebro, S.L.P.</sf:NombreRazon><sf:NIF>B87654323</sf:NIF></sf:Tercero><sf:Destinatarios>',
    )
    await world.send()
    expect((await world.run('invoices.get', { id: issued.id })).registry.status).toBe('accepted')
  })

  test('names a third party of another country with its document', async () => {
    const world = await openWithSeries()
    const issued = await world.invoice({
      ...CLIENT,
      series: 'GEST',
      issuedBy: {
        kind: 'third_party',
        name: 'Platform Ltd',
        nif: 'DE123456789',
        idType: '02',
        country: 'DE',
      },
    })
    expect(await xmlOf(world, issued.id)).toContain(
      '<sf:Tercero><sf:NombreRazon>Platform Ltd</sf:NombreRazon><sf:IDOtro><sf:IDType>02</sf:IDType><sf:ID>DE123456789</sf:ID></sf:IDOtro></sf:Tercero>',
    )
    await world.send()
    expect((await world.run('invoices.get', { id: issued.id })).registry.status).toBe('accepted')
  })

  test('says D of a self-billed invoice, without any identity of its own', async () => {
    const world = await openWithSeries()
    const issued = await world.invoice({
      ...CLIENT,
      series: 'CLI',
      // What was typed of a third party before the choice is not the customer's.
      issuedBy: { ...ADVISER, kind: 'recipient' },
    })
    expect(issued.issuedBy).toMatchObject({ kind: 'recipient', name: null, nif: null, country: null })
    expect(issued.legalMentions).toEqual(['Facturación por el destinatario'])
    expect(await xmlOf(world, issued.id)).toContain(
      '<sf:EmitidaPorTerceroODestinatario>D</sf:EmitidaPorTerceroODestinatario><sf:Destinatarios>',
    )
    await world.send()
    expect((await world.run('invoices.get', { id: issued.id })).registry.status).toBe('accepted')
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true })
  })

  test('of a simplified invoice names the third party and no recipient', async () => {
    const world = await openWithSeries()
    const issued = await world.invoice({ kind: 'F2', clientNif: null, series: 'GESTS', issuedBy: ADVISER })
    const xml = await xmlOf(world, issued.id)
    expect(xml).toContain('</sf:Tercero><sf:Desglose>')
    await world.send()
    expect((await world.run('invoices.get', { id: issued.id })).registry.status).toBe('accepted')
  })

  test('of a correction says it again', async () => {
    const world = await openWithSeries()
    const issued = await world.invoice({ ...CLIENT, series: 'GEST', issuedBy: ADVISER })
    await world.send()
    const { confirmation } = await world.run('invoices.validate', {
      id: issued.id,
      action: 'amend',
      changes: { description: 'Otra descripción' },
    })
    await world.run('invoices.amend', {
      id: issued.id,
      confirmationToken: confirmation?.confirmationToken ?? '',
    })
    const xml = await xmlOf(world, issued.id)
    expect(xml).toContain('<sf:Subsanacion>S</sf:Subsanacion>')
    expect(xml).toContain('<sf:Tercero><sf:NombreRazon>Gestoría Ebro, S.L.P.</sf:NombreRazon>')
  })
})

describe('a correction of the record', () => {
  const validateAmend = (world: TestBooks, id: string, { kind, name, nif }: IssuedBy) =>
    world.run('invoices.validate', {
      id,
      action: 'amend',
      changes: { issuedBy: { kind: kind ?? null, name, nif } },
    })
  async function amend(world: TestBooks, id: string, issuedBy: IssuedBy): Promise<unknown> {
    const { confirmation, preview, issues } = await validateAmend(world, id, issuedBy)
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([])
    await world.run('invoices.amend', { id, confirmationToken: confirmation?.confirmationToken ?? '' })
    await world.send()
    expect((await world.run('invoices.get', { id })).registry.status).toBe('accepted')
    return preview.record?.changes
  }

  test('adds who issued it, changes it and takes it away; the invoice stays as issued', async () => {
    const world = await openWithSeries()
    const issued = await world.invoice(CLIENT)
    await world.send()
    expect(await amend(world, issued.id, ADVISER)).toEqual([
      { field: 'issuedBy', from: null, to: 'third_party' },
      { field: 'issuedByName', from: null, to: 'Gestoría Ebro, S.L.P.' },
      { field: 'issuedByNif', from: null, to: 'B87654323' },
      { field: 'issuedByCountry', from: null, to: 'ES' },
    ])
    expect(await xmlOf(world, issued.id)).toContain('<sf:NIF>B87654323</sf:NIF></sf:Tercero>')
    await amend(world, issued.id, { kind: 'recipient' })
    expect(await xmlOf(world, issued.id)).toContain(
      '>D</sf:EmitidaPorTerceroODestinatario><sf:Destinatarios>',
    )
    expect(await amend(world, issued.id, { kind: null })).toEqual([
      { field: 'issuedBy', from: 'recipient', to: null },
    ])
    expect(await xmlOf(world, issued.id)).not.toContain('EmitidaPorTercero')
    expect((await world.run('invoices.get', { id: issued.id })).issuedBy).toBeUndefined()
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true })
  })

  test('refuses a wrong third party, and a customer who is not in the record', async () => {
    const world = await openWithSeries()
    const issued = await world.invoice(CLIENT)
    const ticket = await world.invoice({ kind: 'F2', clientNif: null })
    await world.send()
    const errorsOf = async (id: string, issuedBy: IssuedBy) =>
      (await validateAmend(world, id, issuedBy)).issues.filter(({ severity }) => severity === 'error')
    expect(await errorsOf(issued.id, { ...ADVISER, nif: '12345678A' })).toMatchObject([
      { code: 'issued_by_number_wrong', field: 'changes.issuedBy.nif' },
    ])
    expect(await errorsOf(issued.id, { ...ADVISER, name: null })).toMatchObject([
      { code: 'issued_by_name_missing', field: 'changes.issuedBy.name' },
    ])
    expect(await errorsOf(ticket.id, { kind: 'recipient' })).toMatchObject([
      { code: 'made_by_nobody', field: 'changes.issuedBy', authorityCode: '1158' },
    ])
  })
})

describe('refusals', () => {
  test('name the field of the third party', async () => {
    const world = await openWithSeries()
    const wrong: [Partial<IssuedBy>, string, string, string][] = [
      [{ name: null }, 'issued_by_name_missing', 'issuedBy.name', '1178'],
      [{ nif: null }, 'issued_by_nif_missing', 'issuedBy.nif', '1178'],
      [{ nif: '12345678A' }, 'issued_by_number_wrong', 'issuedBy.nif', ''],
      [{ nif: 'hola' }, 'issued_by_number_wrong', 'issuedBy.nif', ''],
      [{ nif: 'B12345674' }, 'issued_by_company', 'issuedBy.nif', '1188'],
      [{ idType: '07' }, 'issued_by_not_in_census', 'issuedBy.idType', '1211'],
      [{ country: 'FR' }, 'issued_by_number_wrong', 'issuedBy.idType', ''],
      [{ idType: '04' }, 'issued_by_number_wrong', 'issuedBy.idType', ''],
      [{ idType: '02', country: 'FR', nif: '1' }, 'issued_by_number_wrong', 'issuedBy.nif', ''],
    ]
    for (const [part, code, field, authorityCode] of wrong)
      expect(
        await faultsOf(world, { series: 'GEST', issuedBy: { ...ADVISER, ...part } }),
        JSON.stringify(part),
      ).toEqual([{ code, field, severity: 'error', authorityCode }])
    // A few old numbers of entities break the rule of the control character.
    expect(
      await faultsOf(world, { series: 'GEST', issuedBy: { ...ADVISER, nif: 'B87654321' } }),
    ).toMatchObject([{ code: 'issued_by_number_doubtful', severity: 'warning' }])
  })

  test('a customer who is not in the record cannot issue it', async () => {
    const world = await openWithSeries()
    await world.run('series.create', { code: 'CLIS', kind: 'simplified', purpose: 'recipient' })
    expect(
      await faultsOf(world, { kind: 'F2', series: 'CLIS', issuedBy: { kind: 'recipient' } }),
    ).toMatchObject([{ code: 'issued_by_nobody', field: 'issuedBy.kind', authorityCode: '1158' }])
    // Without a number it is the customer's fault alone.
    const { id } = await world.draft({ clientNif: null, series: 'CLI', issuedBy: { kind: 'recipient' } })
    const { issues } = await world.run('invoices.validate', { id })
    expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'client_nif_missing', authorityCode: '1189' },
    ])
  })

  test('each third party and each customer has a series of its own', async () => {
    const world = await openWithSeries()
    const field = 'series'
    const apart = [{ code: 'issued_by_series', field, severity: 'error' }]
    expect(await faultsOf(world, { issuedBy: ADVISER })).toMatchObject(apart)
    expect(await faultsOf(world, { series: 'CLI', issuedBy: ADVISER })).toMatchObject(apart)
    expect(await faultsOf(world, { series: 'GEST', issuedBy: { kind: 'recipient' } })).toMatchObject(apart)
    expect(await faultsOf(world, { series: 'GEST' })).toMatchObject([
      { code: 'issued_by_not_said', field, severity: 'warning' },
    ])
    await world.invoice({ ...CLIENT, series: 'GEST', issuedBy: ADVISER })
    expect(await faultsOf(world, { series: 'GEST', issuedBy: ADVISER })).toEqual([])
    expect(await faultsOf(world, { series: 'GEST', issuedBy: OTHER_ADVISER })).toMatchObject([
      { code: 'issued_by_other_series', field, severity: 'error' },
    ])
    await world.invoice({ ...CLIENT, series: 'CLI', issuedBy: { kind: 'recipient' } })
    const other = { clientName: 'Otro', clientNif: 'A58818501', issuedBy: { kind: 'recipient' as const } }
    expect(await faultsOf(world, { ...other, series: 'CLI' })).toMatchObject([
      { code: 'issued_by_other_series', field },
    ])
    expect(await faultsOf(world, { ...other, series: 'CLI2' })).toEqual([])
  })
})

describe('the draft', () => {
  test('keeps it, clears it with null, and copies it to a duplicate but not to a rectifying invoice', async () => {
    const world = await openWithSeries()
    const draft = await world.draft({ ...CLIENT, series: 'GEST', issuedBy: ADVISER })
    const kept = await world.run('invoices.update', { id: draft.id, notes: 'Nota' })
    expect(kept.issuedBy).toEqual(draft.issuedBy)
    expect((await world.run('invoices.update', { id: draft.id, issuedBy: null })).issuedBy).toBeUndefined()
    expect(
      (await world.run('invoices.update', { id: draft.id, issuedBy: { name: 'X' } })).issuedBy,
    ).toBeUndefined()
    const issued = await world.invoice({ ...CLIENT, series: 'GEST', issuedBy: ADVISER })
    await world.send()
    const rectifying = await world.run('invoices.rectify', { id: issued.id, cause: 'cancelled_operation' })
    expect(rectifying.issuedBy).toBeUndefined()
  })

  test('nothing changes it in an issued invoice', async () => {
    const world = await openWithSeries()
    const issued = await world.invoice({ ...CLIENT, series: 'GEST', issuedBy: ADVISER })
    await expect(
      world
        .ctx(world.books.test)
        .transaction((tx) =>
          tx.db
            .updateTable('invoices')
            .set({ issued_by_name: 'Otro' })
            .where('public_id', '=', issued.id)
            .execute(),
        ),
    ).rejects.toThrow(/frozen: invoices/)
  })
})

const content = (
  issuedBy: DraftContent['issuedBy'],
  language: DraftContent['language'] = 'es',
): DraftContent => ({
  ...PLAIN_CONTENT,
  kind: 'F1',
  language,
  issueDate: '2026-11-21',
  client: { ...NOBODY, name: 'Cliente', nif: '12345678Z' },
  lines: [{ ...PLAIN_LINE, description: 'Trabajo', unitPriceMicro: 100_000_000, vatRateBp: 2100 }],
  issuedBy,
})
const NOBODY: DraftContent['client'] = {
  name: '',
  tradeName: null,
  nif: null,
  idType: null,
  street: null,
  postalCode: null,
  city: null,
  province: null,
  country: 'ES',
  email: null,
  phone: null,
  iban: null,
  registryInscription: null,
  dir3: null,
}
const NO_IDENTITY = {
  name: null,
  nif: null,
  idType: null,
  country: null,
  street: null,
  postalCode: null,
  city: null,
  province: null,
}

test('the hash has it only when it is given', () => {
  const hashOf = (whole: DraftContent) =>
    contentHash(whole, totalsOf(whole), {
      issuer: NOBODY,
      seriesCode: 'F2026',
      issueDate: '2026-11-21',
      environment: 'simulated',
    }).toString('hex')
  const { issuedBy: _none, ...older } = content(null)
  expect(hashOf(content(null))).toBe(hashOf(older as DraftContent))
  const hashes = [
    hashOf(content(null)),
    hashOf(content({ ...NO_IDENTITY, kind: 'recipient' })),
    hashOf(content({ ...NO_IDENTITY, kind: 'third_party', name: 'A', nif: 'B87654323' })),
    hashOf(content({ ...NO_IDENTITY, kind: 'third_party', name: 'B', nif: 'B87654323' })),
  ]
  expect(new Set(hashes).size).toBe(4)
})

test('every language of a document names it; a name is never read as a pattern', () => {
  for (const language of DOCUMENT_LANGUAGES) {
    const own = content({ ...NO_IDENTITY, kind: 'recipient' }, language)
    expect(mentionsOf(own, totalsOf(own)).at(-1)).toMatch(/^Facturación por el destinatario/)
    const third = content(
      { ...NO_IDENTITY, kind: 'third_party', name: "A$&$' S.A.", nif: 'A58818501' },
      language,
    )
    const mention = mentionsOf(third, totalsOf(third)).at(-1) ?? ''
    expect(mention).toContain("A$&$' S.A. (A58818501)")
    expect(mention).not.toContain('{')
  }
})
