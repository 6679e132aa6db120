/** Files that others wrote: read for what they are, refused by name where they are broken, and never trusted. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFile } from '../../../../server/accounting/returns/files/file.ts'
import type { ReturnFile } from '../../../../server/accounting/returns/files/file.ts'
import { FILE_MODELS } from '../../../../server/accounting/returns/files/layout.ts'
import { readReturnFileInChildProcess } from '../../../../server/accounting/returns/files/read-apart.ts'
import {
  MAX_FILE_BYTES,
  MAX_PAGES_BYTES,
  readReturnFile,
} from '../../../../server/accounting/returns/files/read.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { endIdleParsers, piecesOf } from '../../../../server/platform/processes/parsers.ts'
import { faultsOfRefusal, refusal, refused } from '../../../support/books.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { inLongRun } from '../../../support/sweep.ts'
import { EXAMPLES } from './files-examples.ts'

const longTest = inLongRun(test)
const LINE = 502

const bytesOf = async (file: ReturnFile): Promise<Buffer> => Buffer.from(await encodeFile(file))
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Returns a 347 with many parties of one euro each. */
async function longList(parties: number): Promise<Buffer> {
  const example = EXAMPLES['347']
  const [filer, party] = example.records
  const one = { record: '2D', values: { ...party?.values, amount: 100 } }
  const head = {
    record: '1',
    values: { ...filer?.values, persons: parties, total: parties * 100, premises: 0, premisesTotal: 0 },
  }
  const bytes = await bytesOf({ ...example, records: [head, one] })
  return Buffer.concat([
    bytes.subarray(0, LINE),
    ...Array.from({ length: parties }, () => bytes.subarray(LINE)),
  ])
}

describe.each(FILE_MODELS)('a file of model %s', (model) => {
  test('is read with its filer and its period', async () => {
    const file = EXAMPLES[model]
    const read = await readReturnFile(await bytesOf(file))
    expect(read).toMatchObject({ taxNumber: EXAMPLE_COMPANY.nif, nature: 'first', previous: null })
    expect(read.name).not.toBe('')
    expect(read.file).toMatchObject({ model, year: file.year, period: file.period, software: file.software })
  })

  test('cut at every 97th byte is refused', async () => {
    const bytes = await bytesOf(EXAMPLES[model])
    for (let length = 0; length < bytes.length - 2; length += 97) {
      const error = await refused(readReturnFile(bytes.subarray(0, length)))
      expect(error.code).toBe('validation_failed')
      expect(error.field).toMatch(/^(?:content|head|records\[\d+\])/)
    }
  })

  test('with a byte changed is refused or still a file of that model', async () => {
    const bytes = await bytesOf(EXAMPLES[model])
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
        const changed = Buffer.from(bytes)
        changed[at] = value
        try {
          expect((await readReturnFile(changed)).taxNumber).not.toBe('')
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
      { numRuns: 60, seed: 2026 },
    )
  })
})

test('the boxes of a file are those that its pages state', async () => {
  const read = await readReturnFile(await bytesOf(EXAMPLES['303']))
  expect(read.kind).toBe('C')
  expect(read.boxes.map(({ box, record, kind, value }) => [box, record, kind, value])).toEqual([
    ['07', '01000', 'amount', 100000],
    ['09', '01000', 'amount', 21000],
    ['27', '01000', 'amount', 21000],
    ['46', '01000', 'amount', -5000],
    ['65', '03000', 'percent', 10000],
    ['69', '03000', 'amount', -5000],
    ['71', '03000', 'amount', -5000],
  ])
})

test('the 369 writes a negative with a minus sign, the filer in its head, and no block about the program', async () => {
  const text = (await bytesOf(EXAMPLES['369'])).toString('latin1')
  expect(text.slice(0, 17)).toBe('<T369020264T0000>')
  expect(text.slice(109, 118)).toBe(EXAMPLE_COMPANY.nif)
  expect(text.slice(328, 336)).toBe('<T36900>')
  expect(text).not.toContain('AUX')
  expect(text).toContain('DE2026T3T-0000000000000500')
  expect(text.endsWith('</T36908></T369020264T0000>')).toBe(true)
  const { boxes } = await readReturnFile(latin(text))
  expect(boxes.map(({ box, value }) => [box, value])).toEqual([
    ['01', 10000],
    // Germany refunds its own balance: it lowers nothing of France.
    ['02', 2000],
  ])
})

test('a 369 with pages of two regimes, of another quarter, or with a program in its head is not written', async () => {
  const file = EXAMPLES['369']
  const mixed = { ...file, records: [...file.records, { record: '11', values: {} }] }
  expect(await faultsOfRefusal(encodeFile(mixed))).toEqual(['records[3]: return_file_regimes'])
  const late = { ...file, period: '3T' }
  expect(await faultsOfRefusal(encodeFile(late))).toEqual(['records[1].quarter: return_record_period'])
  const program = { ...file, software: { version: '0100', nif: '' } }
  expect(await faultsOfRefusal(encodeFile(program))).toEqual(['head.version: not_in_layout'])
})

test('the parties of a file of records are listed with their amounts and signs, and its totals checked', async () => {
  const read = await readReturnFile(await bytesOf(EXAMPLES['347']))
  expect(read.partyCount).toBe(3)
  expect(
    read.parties.map(({ record, taxNumber, key, amountCents }) => [record, taxNumber, key, amountCents]),
  ).toEqual([
    ['2D', '12345678Z', 'A', 600000],
    ['2D', 'DE136695976', 'B', -100000],
    ['2I', '12345678Z', '', 360000],
  ])
  expect(read.totals.map(({ key, declared, found }) => [key, declared, found])).toEqual([
    ['persons', 2, 2],
    ['total', 500000, 500000],
    ['premises', 1, 1],
    ['premisesTotal', 360000, 360000],
  ])
  const paid = await readReturnFile(await bytesOf(EXAMPLES['190']))
  expect(paid.totals.map(({ declared, found }) => [declared, found])).toEqual([
    [2, 2],
    [-4000, -4000],
    [3000, 3000],
  ])
  expect(paid.parties.map(({ key }) => key)).toEqual(['G01', 'G03'])
})

test('records are read with any line ends, and without', async () => {
  const text = (await bytesOf(EXAMPLES['349'])).toString('latin1')
  const expected = await readReturnFile(latin(text))
  for (const end of ['\n', ''])
    expect(await readReturnFile(latin(text.replaceAll('\r\n', end)))).toEqual(expected)
})

test('the nature of a return and the one it corrects are read', async () => {
  const file = EXAMPLES['303']
  const [first, last] = file.records
  const correcting = {
    ...file,
    records: [
      first!,
      { record: '03000', values: { ...last?.values, rectifying: 'X', previousReceipt: '3031234567890' } },
    ],
  }
  expect(await readReturnFile(await bytesOf(correcting))).toMatchObject({
    nature: 'rectifying',
    previous: '3031234567890',
  })
  const list = EXAMPLES['180']
  const more = { ...list.records[0]!.values, complementary: 'C', previousNumber: 1801234567890 }
  const adding = { ...list, records: [{ record: '1', values: more }, ...list.records.slice(1)] }
  expect(await readReturnFile(await bytesOf(adding))).toMatchObject({
    nature: 'complementary',
    previous: '1801234567890',
  })
})

describe('a file that cannot be read is refused by name', () => {
  const page = () => bytesOf(EXAMPLES['130'])
  const list = () => bytesOf(EXAMPLES['347'])
  const swap = (bytes: Buffer, from: string, to: string) =>
    latin(bytes.toString('latin1').replaceAll(from, to))

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['nothing', () => Buffer.alloc(0), 'content: return_file_empty'],
    ['a picture', () => Buffer.from('89504e470d0a1a0a0000', 'hex'), 'content: return_file_unknown'],
    ['zeros', () => Buffer.alloc(500), 'content: return_file_unknown'],
    ['HTML', () => latin('<!doctype html><html></html>'), 'content: return_file_unknown'],
    ['cut in half', async () => (await page()).subarray(0, 500), 'content: return_file_cut'],
    ['an opening tag that is its own end', () => latin('<T130020264T0000>'), 'content: return_file_cut'],
    ['a list cut in half', async () => (await list()).subarray(0, 900), 'records[1]: return_record_length'],
    [
      'a list cut at a line',
      async () => (await list()).subarray(0, 2 * LINE),
      'records[0].persons: return_file_count',
    ],
    [
      'one line of all',
      async () => Buffer.concat([latin('1347'), latin('2026'), Buffer.alloc(5_000, 'A'), latin('\n')]),
      'records[0]: return_record_length',
    ],
    ['an unknown model', async () => swap(await page(), 'T130', 'T200'), 'content: return_model_unknown'],
    ['an unknown list', async () => swap(await list(), '1347', '1184'), 'content: return_model_unknown'],
    [
      'a byte order mark',
      async () => Buffer.concat([Buffer.from('efbbbf', 'hex'), await page()]),
      'content: return_file_encoding',
    ],
    [
      'UTF-16',
      async () => Buffer.from(`\ufeff${(await page()).toString('latin1')}`, 'utf16le'),
      'content: return_file_encoding',
    ],
    [
      'UTF-8',
      async () => Buffer.from((await list()).toString('latin1'), 'utf8'),
      'content: return_file_encoding',
    ],
    [
      'a page of another layout',
      async () => swap(await page(), '<T13001000>', '<T30301000>'),
      'records[0]: return_record_unknown',
    ],
    [
      'a page without a layout',
      async () => swap(await page(), '<T13001000>', '<T13009000>'),
      'records[0]: return_record_unknown',
    ],
    [
      'a line end inside',
      async () => swap(await page(), 'GARCIA', 'GARC\r\n'),
      'records[0].surnames: not_in_layout',
    ],
    [
      'two filers',
      async () => Buffer.concat([(await list()).subarray(0, LINE), await list()]),
      'records[1]: return_record_order',
    ],
    [
      'nobody’s return',
      async () => bytesOf({ ...EXAMPLES['130'], records: [] }),
      'content: return_file_without_filer',
    ],
  ])('%s', async (_what, make, fault) => {
    expect((await faultsOfRefusal(readReturnFile(await make())))[0]).toBe(fault)
  })

  test('a whole page of another layout in its place', async () => {
    const [own, other] = [
      (await page()).toString('latin1'),
      (await bytesOf(EXAMPLES['115'])).toString('latin1'),
    ]
    const foreign = latin(own.slice(0, 328) + other.slice(328, -18) + own.slice(-18))
    expect(await faultsOfRefusal(readReturnFile(foreign))).toEqual(['records[0]: return_record_unknown'])
  })

  test('an exercise without a layout', async () => {
    const error = await refused(readReturnFile(swap(await page(), '2026', '1999')))
    expect([error.code, error.field, error.details?.['year']]).toEqual(['no_file_layout', 'year', 1999])
  })

  test('more pages than a return can have', async () => {
    const bytes = Buffer.alloc(MAX_PAGES_BYTES + 1, '<')
    expect(await faultsOfRefusal(readReturnFile(bytes))).toEqual(['content: return_file_too_large'])
    expect(await faultsOfRefusal(readReturnFile(bytes.subarray(1)))).toEqual(['content: return_file_unknown'])
  })

  test('500 files of random bytes, half of them behind a good beginning', async () => {
    const [good, records] = [await page(), await list()]
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.constantFrom('none', 'page', 'list', 'head'),
        async (noise, start) => {
          const begins = {
            none: Buffer.alloc(0),
            page: good.subarray(0, 328),
            list: records.subarray(0, LINE),
            head: latin('1347'),
          }
          const bytes = Buffer.concat([
            begins[start],
            noise,
            start === 'page' ? good.subarray(-18) : Buffer.alloc(0),
          ])
          const code = await refusal(readReturnFile(bytes))
          expect(['validation_failed', 'no_file_layout']).toContain(code)
          count += 1
        },
      ),
      { numRuns: 500, seed: 2026 },
    )
    expect(count).toBe(500)
  })
})

describe('in a child process', () => {
  test('a file is read as in the program, and its faults arrive with their paths', async () => {
    const bytes = await bytesOf(EXAMPLES['347'])
    expect(await readReturnFileInChildProcess(piecesOf(bytes))).toEqual(await readReturnFile(bytes))
    expect(await faultsOfRefusal(readReturnFileInChildProcess(piecesOf(bytes.subarray(0, 900))))).toEqual([
      'records[1]: return_record_length',
    ])
    expect(await faultsOfRefusal(readReturnFileInChildProcess(piecesOf(new Uint8Array(0))))).toEqual([
      'content: return_file_empty',
    ])
    endIdleParsers()
  })

  test('a file that declares 1 GB is refused before a byte of it is read', async () => {
    let touched = 0
    const pieces = (function* () {
      touched += 1
      yield new Uint8Array(1)
    })()
    const declared = { length: 1024 ** 3, pieces }
    expect(await faultsOfRefusal(readReturnFileInChildProcess(declared))).toEqual([
      'content: return_file_too_large',
    ])
    expect(touched).toBe(0)
  })

  test('of a long list the first 1,000 parties come, and all are counted and added up', async () => {
    const read = await readReturnFileInChildProcess(piecesOf(await longList(2_500)))
    expect([read.parties.length, read.partyCount, read.file.records.length]).toEqual([1_000, 2_500, 1])
    expect(read.totals[1]).toMatchObject({ declared: 250_000, found: 250_000 })
    endIdleParsers()
  })

  longTest('a list of 20 MiB is read within the limits, and a larger one is not', async () => {
    const most = Math.floor(MAX_FILE_BYTES / LINE) - 1
    const read = await readReturnFileInChildProcess(piecesOf(await longList(most)))
    expect(read.partyCount).toBe(most)
    const more = piecesOf(await longList(most + 2))
    expect(await faultsOfRefusal(readReturnFileInChildProcess(more))).toEqual([
      'content: return_file_too_large',
    ])
    endIdleParsers()
  })
})
