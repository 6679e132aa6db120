/** Files of returns: what is written is read back as it was, every field of every layout, and a shifted layout shows. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeFile, encodeFile } from '../../../../server/accounting/returns/files/file.ts'
import type { FileRecord, ReturnFile } from '../../../../server/accounting/returns/files/file.ts'
import { FILE_MODELS, layoutFor, layoutsOf } from '../../../../server/accounting/returns/files/layout.ts'
import type { FileModel, Layout, LayoutField } from '../../../../server/accounting/returns/files/layout.ts'
import { decodeRecord, encodeRecord } from '../../../../server/accounting/returns/files/record.ts'
import { sweptCount } from '../../../support/sweep.ts'

const RUNS = sweptCount(10_000, 12)

/** Characters of each record in the agency's own tables. */
const LENGTHS: Readonly<Record<FileModel, readonly number[]>> = {
  '111': [1000],
  '115': [500],
  '123': [600],
  '130': [600],
  '131': [831, 598, 257],
  '180': [500, 500],
  '190': [500, 500],
  '303': [1581, 1900, 1017, 998, 1528, 823],
  '347': [500, 500, 500],
  '349': [500, 500, 500],
  '369': [110, 1422, 763, 2947, 1423, 1211, 1687, 1687, 763, 5803, 1454, 763, 2947],
  '390': [1187, 1806, 531, 1840, 854, 1519, 828, 776, 1092],
}

const PERIOD = '1T'
const MONTH = '01'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZÑÇ0123456789'

/** A value of a field that its characters can hold, never the empty one, which is left out. */
function valueOf(field: LayoutField, isFull = false): fc.Arbitrary<number | string> {
  const { as, length, values } = field
  if (as === 'Num' || as === 'N' || as === 'S') {
    if (values) return fc.constantFrom(...values.map(Number).filter((value) => value !== 0))
    const most = Math.min(10 ** length - 1, Number.MAX_SAFE_INTEGER)
    if (isFull && as === 'Num') return fc.constant(most)
    const least = as === 'Num' ? 1 : -Math.min(10 ** (length - 1) - 1, Number.MAX_SAFE_INTEGER)
    return fc.integer({ min: least, max: isFull && as !== 'Num' ? -1 : most }).map((value) => value || 1)
  }
  if (values) return fc.constantFrom(...values)
  if (isFull) return fc.constant('ABCDEFGHIJ'.repeat(Math.ceil(length / 10)).slice(0, length))
  return fc
    .array(fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join(' ').slice(0, length).trim())
}

const writable = (fields: readonly LayoutField[]): LayoutField[] =>
  fields.filter(({ is }) => is === undefined)

function recordOf(layout: Layout, record: string, chance: boolean): fc.Arbitrary<FileRecord> {
  const fields = writable(layout.records[record] ?? [])
  return fc
    .record(Object.fromEntries(fields.map((field) => [field.key, valueOf(field, !chance)])), {
      requiredKeys: chance ? [] : fields.map(({ key }) => key),
    })
    .map((values) => ({
      record,
      values: {
        ...values,
        ...(fields.some(({ key }) => key === 'year') ? { year: layout.from } : {}),
        ...(fields.some(({ key }) => key === 'period') ? { period: PERIOD } : {}),
        ...(fields.some(({ key }) => key === 'quarter') ? { quarter: 1 } : {}),
        ...(fields.some(({ key }) => key === 'month') ? { month: Number(MONTH) } : {}),
      },
    }))
}

/** Names of the records in the order of their design; an object has names that are numbers, as `10`, first. */
function namesOf({ records }: Layout): string[] {
  const names = Object.keys(records)
  return names.every((name) => /^\d\d$/.test(name)) ? names.toSorted() : names
}

function fileOf(layout: Layout): fc.Arbitrary<ReturnFile> {
  const [first = '', ...others] = namesOf(layout)
  // A file has the pages of one regime only.
  const regime = layout.regimes ? fc.constantFrom(...layout.regimes) : fc.constant(null)
  return regime
    .chain((pages) =>
      fc.array(fc.constantFrom(...(pages ?? (layout.kind === 'pages' ? [first, ...others] : others))), {
        maxLength: 4,
      }),
    )
    .chain((chosen) => fc.tuple(...[first, ...chosen].map((record) => recordOf(layout, record, true))))
    .map((records) => {
      const isMonthly = records.some(({ record }) => layout.regimes?.[2]?.includes(record))
      const isYearly = layout.kind === 'records' && layout.model !== '349'
      const hasProgram = layout.kind === 'pages' && layout.head === undefined
      return {
        model: layout.model,
        year: layout.from,
        period: isYearly ? '0A' : isMonthly ? MONTH : PERIOD,
        software: hasProgram ? { version: '0100', nif: 'B87654323' } : { version: '', nif: '' },
        ...(layout.head ? { filer: '12345678Z' } : {}),
        records,
      }
    })
}

/** The same fields with the border behind one of them moved by a character. */
function shifted(fields: readonly LayoutField[], index: number, by: 1 | -1): LayoutField[] {
  return fields.map((field, each) =>
    each === index
      ? { ...field, length: field.length + by }
      : each === index + 1
        ? { ...field, at: field.at + by, length: field.length - by }
        : field,
  )
}

describe.each(FILE_MODELS)('the file of model %s', (model) => {
  test('has fields without gaps, as long as the agency says', async () => {
    for (const layout of await layoutsOf(model)) {
      const records = namesOf(layout).map((name) => layout.records[name] ?? [])
      expect(records.map((fields) => fields.reduce((sum, { length }) => sum + length, 0))).toEqual(
        LENGTHS[model],
      )
      for (const fields of records) {
        let next = 1
        for (const { at, length } of fields) {
          expect(at).toBe(next)
          next += length
        }
        expect(new Set(fields.map(({ key }) => key)).size).toBe(fields.length)
      }
    }
  })

  test('is read back as it was written', async () => {
    for (const layout of await layoutsOf(model))
      await fc.assert(
        fc.asyncProperty(fileOf(layout), async (file) => {
          const bytes = await encodeFile(file)
          const read = await decodeFile(bytes)
          expect(read).toEqual(file)
          expect(Buffer.from(await encodeFile(read)).equals(Buffer.from(bytes))).toBe(true)
        }),
        { numRuns: RUNS },
      )
  })

  test('holds every field of its layout, and a shifted column shows', async () => {
    for (const layout of await layoutsOf(model))
      for (const [record, fields] of Object.entries(layout.records)) {
        const [full] = fc.sample(recordOf(layout, record, false), { numRuns: 1, seed: 2026 })
        const values = full?.values ?? {}
        expect(Object.keys(values).toSorted()).toEqual(
          writable(fields)
            .map(({ key }) => key)
            .toSorted(),
        )
        const text = encodeRecord(record, fields, values)
        expect(decodeRecord(record, fields, text)).toEqual(values)
        // Between blanks, and between zeros, there is no border to see; no amount has as many digits as its field.
        const isFill = (field?: LayoutField): boolean => field?.is === '' || field?.is === '0'
        const isLong = (field?: LayoutField): boolean => field?.as === 'Num' && field.length > 16
        const borders = [...fields.keys()].filter((at) => {
          const [one, next] = [fields[at], fields[at + 1]]
          return next !== undefined && !(isFill(one) && (isFill(next) || isLong(next)))
        })
        const isSeen = (index: number, by: 1 | -1): boolean => {
          try {
            return (
              JSON.stringify(decodeRecord(record, shifted(fields, index, by), text)) !==
              JSON.stringify(values)
            )
          } catch {
            return true
          }
        }
        const unseen = borders.filter((index) => !isSeen(index, 1) && !isSeen(index, -1))
        expect(unseen).toEqual([])
      }
  })
})

test('the layouts are those that were compared with the published designs', async () => {
  const digests: Record<string, string> = {}
  for (const model of FILE_MODELS)
    for (const layout of await layoutsOf(model)) {
      const lines = namesOf(layout).flatMap((record) =>
        (layout.records[record] ?? []).map(({ key, at, length, as, decimals, is }) =>
          [record, key, at, length, as, decimals, is].join(),
        ),
      )
      digests[`${model} ${layout.version}`] = createHash('sha256')
        .update(lines.join('\n'))
        .digest('hex')
        .slice(0, 16)
    }
  expect(digests).toMatchInlineSnapshot(`
    {
      "111 dr111e16v18": "6863d6117e940244",
      "115 DR115e15v13": "a9d3e6ced3a22110",
      "123 DR123e24": "9e6426630f5bc394",
      "130 DR130e15v12": "1a25bdc9f52102c8",
      "131 DR131_2026": "cb0680b53e6b5bcd",
      "180 Orden HFP/1284/2023": "f2575aa298322733",
      "190 Orden HAC/1431/2025": "1b205a9a2dd0b2f5",
      "303 DR303e26v101": "1eb06050815d25d2",
      "347 Orden HAC/1431/2025": "22c6de59fac12417",
      "349 Orden HAC/174/2020": "01dd3fb0b05ad81b",
      "369 DR369e21": "70934fe04c5bc064",
      "390 dr390e2025": "47c8c08a659c85f0",
    }
  `)
})

describe('a value that does not fit', () => {
  const page = async () => (await layoutFor('130', 2026)).records['01000'] ?? []

  test.each([
    ['a negative amount in a box without sign', { '01': -1 }, '01000.01'],
    ['an amount of too many digits', { '03': -1e16 }, '01000.03'],
    ['half a cent', { '03': 0.5 }, '01000.03'],
    ['an accent', { surnames: 'GARCÍA' }, '01000.surnames'],
    ['two blanks', { surnames: 'GARCIA  LOPEZ' }, '01000.surnames'],
    ['a name that is too long', { firstName: 'X'.repeat(21) }, '01000.firstName'],
    ['another kind of return', { kind: 'Z' }, '01000.kind'],
    ['text in a box', { '01': '12' }, '01000.01'],
    ['another constant', { '#1': '<X' }, '01000.#1'],
    ['a field that is not there', { '99': 1 }, '01000.99'],
  ])('is refused with its path: %s', async (_what, values, field) => {
    const fields = await page()
    expect(() => encodeRecord('01000', fields, values as never)).toThrow(
      expect.objectContaining({ code: 'validation_failed', field }),
    )
  })

  test('in a record is named by its place in the file, and another period by its key', async () => {
    const file = (values: object): ReturnFile => ({
      model: '349',
      year: 2026,
      period: '1T',
      software: { version: '', nif: '' },
      records: [
        { record: '1', values: { year: 2026, period: '1T' } },
        { record: '2O', values: { year: 2026, ...values } },
      ],
    })
    await expect(encodeFile(file({ amount: -1 }))).rejects.toMatchObject({ field: 'records[1].amount' })
    await expect(encodeFile(file({ year: 2025 }))).rejects.toMatchObject({ field: 'records[1].year' })
    expect(await decodeFile(await encodeFile(file({ amount: 5 })))).toEqual(file({ amount: 5 }))
  })

  test('an exercise without a layout is refused with the last one', async () => {
    await expect(layoutFor('390', 2026)).rejects.toMatchObject({
      code: 'no_file_layout',
      details: {
        model: '390',
        year: 2026,
        lastVersion: 'dr390e2025',
        lastPublished: '2025-12-05',
        lastYear: 2025,
      },
    })
  })

  test('a file that is cut off anywhere is refused', async () => {
    const bytes = await encodeFile({
      model: '130',
      year: 2026,
      period: '1T',
      software: { version: '0100', nif: '' },
      records: [{ record: '01000', values: { kind: 'N', nif: '12345678Z', year: 2026, period: '1T' } }],
    })
    for (let length = 0; length < bytes.length; length += 7)
      await expect(decodeFile(bytes.subarray(0, length))).rejects.toMatchObject({ code: 'validation_failed' })
    expect((await decodeFile(bytes)).records).toHaveLength(1)
  })
})
