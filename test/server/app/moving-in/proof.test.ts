/** The returns of a move beside what was filed: typed, read from a file, read from a PDF. */
import { expect, test } from 'vitest'
import { pdfOf } from '../../../../server/accounting/returns/simulator/pdf.ts'
import type { OutputOf } from '../../../../server/api/contracts.ts'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { addBooks, addFile } from '../../../support/moving/files.ts'
import { applyAll, undoAll } from '../../../support/moving/move.ts'
import { stateSchemes } from '../../../support/schemes.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { workedQuarter } from '../../accounting/returns/worked.ts'

type Proof = OutputOf<'moving.proof'>

const RETURN_303 = { model: '303', year: 2026, period: '4T' } as const

async function movedBooks(): Promise<{ before: TestBooks; after: TestBooks; id: string }> {
  const before = await workedQuarter('legal', { at: '2027-01-10T12:00:00+01:00' })
  await stateSchemes(before, 2026)
  const after = await openBooks({ at: '2027-01-28T12:00:00+01:00' })
  await stateSchemes(after, 2026)
  const { id } = await addBooks(before, after, { firstDay: '2027-01-01', year: 2026, format: 'xlsx' })
  return { before, after, id }
}

function find({ returns }: Proof, model: string): Proof['returns'][number] {
  const found = returns.find((each) => each.model === model)
  if (!found) throw new Error(`No ${model}: ${returns.map((each) => each.model).join(' ')}`)
  return found
}

const computed = ({ boxes }: Proof['returns'][number]): Record<string, number> =>
  Object.fromEntries(boxes.flatMap(({ box, computed: value }) => (value === null ? [] : [[box, value]])))

test('what was filed agrees, differs with a reason, or is left without proof; only then the move is done', async () => {
  const { after, id } = await movedBooks()
  await applyAll(after, id)
  const first = await after.run('moving.proof', { id })
  expect(first.returns.map(({ model, status }) => [model, status])).toEqual([
    ['303', 'open'],
    ['347', 'open'],
    ['349', 'open'],
    ['390', 'open'],
  ])
  expect(first).toMatchObject({ isSettled: false, isProven: false })
  const boxes = computed(find(first, '303'))
  const error = await refused(after.run('moving.finish', { id }))
  expect(error.code).toBe('moving_unproven')
  expect(error.details?.returns).toContainEqual({ ...RETURN_303, status: 'open' })

  // One cent off, without the box of the result: neither agrees.
  const off = await after.run('moving.setFiled', {
    id,
    ...RETURN_303,
    boxes: { '27': boxes['27']! + 0.01 },
  })
  expect(find(off, '303')).toMatchObject({ status: 'differs', source: 'typed' })
  expect(find(off, '303').boxes.find(({ box }) => box === '27')).toMatchObject({
    filed: Math.round((boxes['27']! + 0.01) * 100) / 100,
    difference: 0.01,
    sure: 'certain',
  })
  const part = await after.run('moving.setFiled', { id, ...RETURN_303, boxes: { '27': boxes['27']! } })
  expect(find(part, '303').status).toBe('incomplete')
  const whole = await after.run('moving.setFiled', { id, ...RETURN_303, boxes: { '71': boxes['71']! } })
  expect(find(whole, '303').status).toBe('agrees')

  await after.run('moving.setFiled', { id, ...RETURN_303, boxes: { '71': boxes['71']! - 5 } })
  const explained = await after.run('moving.explain', {
    id,
    ...RETURN_303,
    box: '71',
    reason: 'El gestor no dedujo una factura.',
  })
  expect(find(explained, '303').status).toBe('explained')
  // Another amount needs another reason.
  const again = await after.run('moving.setFiled', { id, ...RETURN_303, boxes: { '71': boxes['71']! - 6 } })
  expect(find(again, '303').status).toBe('differs')
  await after.run('moving.setFiled', { id, ...RETURN_303, boxes: { '71': boxes['71']! } })

  const rest = (['349', '347', '390'] as const).map((model) => ({
    model,
    year: 2026,
    period: model === '349' ? '4T' : '0A',
  }))
  expect((await refused(after.run('moving.finish', { id, withoutProof: rest.slice(0, 2) }))).code).toBe(
    'moving_unproven',
  )
  const { move } = await after.run('moving.finish', { id, withoutProof: rest })
  expect(move.state).toBe('done')
  const last = await after.run('moving.proof', { id })
  expect(last).toMatchObject({ isSettled: true, isProven: false })
  expect(last.returns.map(({ model, status }) => [model, status])).toEqual([
    ['303', 'agrees'],
    ['347', 'left_open'],
    ['349', 'left_open'],
    ['390', 'left_open'],
  ])
  expect((await refused(after.run('moving.setFiled', { id, ...RETURN_303, boxes: {} }))).code).toBe(
    'moving_state',
  )
})

test('what was filed is a filing, which the next return carries on, and goes with the move', async () => {
  const { after, id } = await movedBooks()
  // Said before the documents are here, and stored once they are.
  await after.run('moving.setFiled', {
    id,
    ...RETURN_303,
    boxes: { '71': -1234.56, '46': -1234.56 },
    outcome: 'offset',
  })
  const next = () => after.run('fiscal.model', { model: '303', year: 2027, quarter: 1 })
  const carried = async () => (await next()).boxes.find(({ box }) => box === '110')?.amount
  const filed = () => after.run('fiscal.model', { model: '303', year: 2026, quarter: 4 })
  expect((await filed()).filing).toBeNull()
  await applyAll(after, id)
  expect((await filed()).filing).toMatchObject({ result: -1234.56, outcome: 'offset', source: 'marked' })
  expect(await carried()).toBe(1234.56)
  await after.run('moving.setFiled', { id, ...RETURN_303, boxes: { '71': -1000, '46': -1000 } })
  expect(await carried()).toBe(1000)
  // What was refunded is not carried on.
  await after.run('moving.setFiled', { id, ...RETURN_303, boxes: {}, outcome: 'refund' })
  expect(find(await after.run('moving.proof', { id }), '303')).toMatchObject({ outcome: 'refund' })
  expect(await carried()).toBe(0)
  await undoAll(after, id)
  expect((await filed()).filing).toBeNull()
  expect(await after.test.db.selectFrom('filings').select('id').execute()).toEqual([])
})

test('what an earlier move filed is explained where a later one changes it', async () => {
  const { after, id } = await movedBooks()
  await applyAll(after, id)
  const value = computed(find(await after.run('moving.proof', { id }), '303'))['71']!
  await after.run('moving.setFiled', { id, ...RETURN_303, boxes: { '71': value } })
  const { move } = await after.run('moving.start', { firstDay: '2027-01-01' })
  const csv = 'Número;Fecha;Cliente;NIF;Base;% IVA\nX-1;15/11/2026;Bar Sol;B12345674;100,00;21\n'
  await addFile(after, move.id, 'olvidada.csv', csv)
  await applyAll(after, move.id)
  const found = find(await after.run('moving.proof', { id: move.id }), '303')
  expect(found).toMatchObject({ status: 'differs', source: 'filing' })
  for (const { box, difference } of found.boxes)
    if (difference)
      await after.run('moving.explain', { id: move.id, ...RETURN_303, box, reason: 'Se olvidó una factura.' })
  expect(find(await after.run('moving.proof', { id: move.id }), '303').status).toBe('explained')
})

test('a return of these books cannot be said to be filed elsewhere', async () => {
  const { after, id } = await movedBooks()
  const error = await refused(
    after.run('moving.setFiled', { id, model: '303', year: 2027, period: '1T', boxes: { '71': 0 } }),
  )
  expect(error.details?.faults).toEqual([expect.objectContaining({ code: 'moving_period_later' })])
  const months = await refused(
    after.run('moving.setFiled', { id, model: '303', year: 2026, period: '05', boxes: { '71': 0 } }),
  )
  expect(months.details?.faults).toEqual([expect.objectContaining({ code: 'moving_period_unknown' })])
  const count = await refused(
    after.run('moving.setFiled', { id, model: '347', year: 2026, period: '0A', boxes: { '01': 1.5 } }),
  )
  expect(count.details?.faults).toEqual([expect.objectContaining({ code: 'moving_box_wrong' })])
})

test('the file of a filed return proves it', async () => {
  const { before, after, id } = await movedBooks()
  const { bytes } = await before.run('fiscal.returnFile', { model: '303', year: 2026, quarter: 4 })
  const file = await addFile(after, id, 'presentado.303', bytes)
  expect(file).toMatchObject({
    state: 'read',
    faults: [],
    tables: [{ content: 'return_file', isRead: true }],
  })
  await applyAll(after, id)
  const found = find(await after.run('moving.proof', { id }), '303')
  expect(found).toMatchObject({ status: 'agrees', source: 'file', fileName: 'presentado.303' })
  expect(found.boxes.filter(({ filed }) => filed !== null).length).toBeGreaterThan(5)
})

test('a return is added once the history is in; any other file is refused then', async () => {
  const { before, after, id } = await movedBooks()
  const applied = await applyAll(after, id)
  const { bytes } = await before.run('fiscal.returnFile', { model: '303', year: 2026, quarter: 4 })
  const content = Buffer.from(bytes).toString('base64')
  const { move } = await after.run('moving.addFile', { id, name: 'presentado.303', content })
  // It is no file of the move: what was read and counted before stays.
  expect(move.files.map(({ name }) => name)).toEqual(['libros.xlsx'])
  expect(move.documents).toBe(applied.documents)
  expect(find(await after.run('moving.proof', { id }), '303')).toMatchObject({
    status: 'agrees',
    source: 'file',
  })
  const csv = Buffer.from('Número;Fecha;Base\n1;01/02/2026;10').toString('base64')
  const codeOf = async (name: string, bytesOf: string) => {
    const error = await refused(after.run('moving.addFile', { id, name, content: bytesOf }))
    return (error.details as { faults: { code: string }[] }).faults[0]?.code
  }
  expect(await codeOf('ventas.csv', csv)).toBe('moving_returns_only')
  const other = pdfOf(['Modelo 303', 'NIF B00000000 Ejercicio 2026 Periodo 4T'])
  expect(await codeOf('ajeno.pdf', Buffer.from(other).toString('base64'))).toBe('return_file_other_filer')
  await undoAll(after, id)
  expect(await after.test.db.selectFrom('filings').select('id').execute()).toEqual([])
})

test('of a PDF only what its sums prove is certain', async () => {
  const { after, id } = await movedBooks()
  await applyAll(after, id)
  const boxes = computed(find(await after.run('moving.proof', { id }), '303'))
  await undoAll(after, id)
  const next = await movedBooks()
  const amount = (value: number): string => {
    const [whole = '', cents = ''] = Math.abs(value).toFixed(2).split('.')
    return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${cents}`
  }
  const lines = Object.entries(boxes)
    .filter(([box, value]) => /^\d{2,3}$/.test(box) && value !== 0)
    .map(([box, value]) => `${box} ${amount(box === '29' ? value + 7 : value)}`)
  const pdf = (nif: string, more = lines): Uint8Array =>
    pdfOf(['Modelo 303', `NIF ${nif} Ejercicio 2026 Periodo 4T`, ...more])
  const other = await addFile(next.after, next.id, 'ajeno.pdf', pdf('B00000000'))
  expect(other.faults).toEqual([expect.objectContaining({ code: 'return_file_other_filer' })])
  const unknown = await addFile(next.after, next.id, 'factura.pdf', pdfOf(['Factura 7', 'Total 121,00']))
  expect(unknown.faults).toEqual([expect.objectContaining({ code: 'return_pdf_unknown' })])
  const file = await addFile(next.after, next.id, '303.pdf', pdf(EXAMPLE_COMPANY.nif))
  expect(file).toMatchObject({ state: 'read', faults: [], tables: [{ content: 'pdf', isRead: true }] })
  await applyAll(next.after, next.id)
  const found = find(await next.after.run('moving.proof', { id: next.id }), '303')
  expect(found.source).toBe('pdf')
  const sure = (box: string) => found.boxes.find((each) => each.box === box)
  // One of the parts of box 45 is wrong: that box is proven as a part of box 46, and its parts are not.
  expect(sure('27')).toMatchObject({ sure: 'certain', filed: boxes['27'], difference: 0 })
  expect(sure('45')).toMatchObject({ sure: 'certain', filed: boxes['45'], difference: 0 })
  expect(sure('29')).toMatchObject({ sure: 'guess', difference: null })
})
