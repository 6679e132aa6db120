/** Small plausible files of every model, for tests that read, cut and change them. */
import { encodeFile } from '../../../../server/accounting/returns/files/file.ts'
import type { FileRecord, ReturnFile } from '../../../../server/accounting/returns/files/file.ts'
import { layoutFor } from '../../../../server/accounting/returns/files/layout.ts'
import type { FileModel } from '../../../../server/accounting/returns/files/layout.ts'
import type { RecordValues } from '../../../../server/accounting/returns/files/record.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

const OWN = { nif: EXAMPLE_COMPANY.nif }

function pages(model: FileModel, period: string, records: readonly FileRecord[], year = 2026): ReturnFile {
  return { model, year, period, software: { version: '0100', nif: 'B87654323' }, records }
}

const page = (record: string, values: RecordValues): FileRecord => ({ record, values })

function list(
  model: FileModel,
  filer: RecordValues,
  others: readonly FileRecord[],
  year: number,
): ReturnFile {
  const own = { ...OWN, year }
  return {
    model,
    year,
    period: model === '349' ? '4T' : '0A',
    software: { version: '', nif: '' },
    records: [
      page('1', { ...own, name: 'EMPRESA SL', ...filer }),
      ...others.map(({ record, values }) => page(record, { ...own, ...values })),
    ],
  }
}

const QUARTER = { ...OWN, year: 2026, period: '4T' }

/** A file of each model, by this company, of the last quarter or of the year. */
export const EXAMPLES: Readonly<Record<FileModel, ReturnFile>> = {
  '111': pages('111', '4T', [
    page('01000', {
      ...QUARTER,
      kind: 'I',
      surnames: 'EMPRESA SL',
      '07': 1,
      '08': 20000,
      '09': 3000,
      '28': 3000,
      '30': 3000,
    }),
  ]),
  '115': pages('115', '4T', [
    page('01000', {
      ...QUARTER,
      kind: 'I',
      surnames: 'EMPRESA SL',
      '01': 1,
      '02': 30000,
      '03': 5700,
      '05': 5700,
    }),
  ]),
  '123': pages('123', '4T', [page('01000', { ...QUARTER, kind: 'N', name: 'EMPRESA SL' })]),
  '130': pages('130', '4T', [
    page('01000', { ...QUARTER, kind: 'B', surnames: 'GARCIA LOPEZ', firstName: 'EVA', '19': -12345 }),
  ]),
  '131': pages('131', '4T', [
    page('01000', { ...QUARTER, kind: 'N', surnames: 'GARCIA LOPEZ', firstName: 'EVA' }),
  ]),
  '180': list(
    '180',
    { recipients: 1, total: 30000, withheldTotal: 5700 },
    [
      page('2', {
        partyNif: '12345678Z',
        partyName: 'CASERO',
        rentKind: 1,
        base: 30000,
        rate: 1900,
        withheld: 5700,
      }),
    ],
    2026,
  ),
  '190': list(
    '190',
    { recipients: 2, totalSign: 'N', total: 4000, withheldTotal: 3000 },
    [
      page('2', {
        partyNif: '12345678Z',
        partyName: 'ASESOR',
        incomeKey: 'G',
        subkey: 1,
        paid: 20000,
        withheld: 3000,
      }),
      page('2', {
        partyNif: 'B87654323',
        partyName: 'OTRO',
        incomeKey: 'G',
        subkey: 3,
        paidSign: 'N',
        paid: 24000,
      }),
    ],
    2025,
  ),
  '303': pages('303', '4T', [
    page('01000', {
      ...QUARTER,
      kind: 'C',
      name: 'EMPRESA SL',
      '07': 100000,
      '09': 21000,
      '27': 21000,
      '46': -5000,
    }),
    page('03000', { '65': 10000, '69': -5000, '71': -5000 }),
    page('DID00', {}),
  ]),
  '347': list(
    '347',
    { persons: 2, total: 500000, premises: 1, premisesTotal: 360000 },
    [
      page('2D', { partyNif: '12345678Z', partyName: 'MUÑOZ', operation: 'A', amount: 600000 }),
      page('2D', { euCountry: 'DE', euNumber: '136695976', operation: 'B', amountSign: 'N', amount: 100000 }),
      page('2I', { partyNif: '12345678Z', partyName: 'MUÑOZ', rent: 360000 }),
    ],
    2026,
  ),
  '349': list(
    '349',
    { period: '4T', operators: 1, total: 70000, rectifications: 1, rectifiedTotal: 1000 },
    [
      page('2O', {
        euCountry: 'FR',
        euNumber: '40303265045',
        partyName: 'CLIENT',
        operation: 'S',
        amount: 70000,
      }),
      page('2R', {
        euCountry: 'FR',
        euNumber: '40303265045',
        operation: 'S',
        amount: 1000,
        declaredBefore: 2000,
      }),
    ],
    2026,
  ),
  '369': {
    model: '369',
    year: 2026,
    period: '4T',
    software: { version: '', nif: '' },
    filer: OWN.nif,
    records: [
      page('00', {}),
      page('04', {
        ...OWN,
        regime: 'MOSS',
        category: 'D',
        kind: 'I',
        country: 'ES',
        name: 'EMPRESA SL',
        year: 2026,
        quarter: 4,
        state1: 'FR',
        rate1: 2000,
        rateKind1: 'S',
        base1: 10000,
        tax1: 2000,
      }),
      page('08', {
        state1: 'DE',
        correctedYear1: 2026,
        correctedPeriodKind1: 'T',
        correctedPeriod1: '3T',
        correctedTax1: -500,
      }),
    ],
  },
  '390': pages(
    '390',
    '0A',
    [
      page('01000', { ...OWN, year: 2025, surnames: 'EMPRESA SL' }),
      page('02000', { '05': 100000, '06': 21000 }),
    ],
    2025,
  ),
}

/** Returns a file with the boxes given, each on the page that has it. */
export async function fileWithBoxes(
  model: FileModel,
  first: RecordValues,
  boxes: Readonly<Record<string, number>>,
): Promise<ReturnFile> {
  const layout = await layoutFor(model, 2026)
  const records = Object.entries(layout.records).map(([record, fields], index) => {
    const own = fields.filter(({ key, is }) => is === undefined && (boxes[key] ?? 0) !== 0)
    return page(record, {
      ...(index === 0 ? first : {}),
      ...Object.fromEntries(own.map(({ key }) => [key, boxes[key] ?? 0])),
    })
  })
  return pages(model, '4T', records)
}

/** Returns a file in base64, as operations take it. */
export const contentOf = async (file: ReturnFile): Promise<string> =>
  Buffer.from(await encodeFile(file)).toString('base64')
