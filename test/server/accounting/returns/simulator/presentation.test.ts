/** Filing page returns: what is taken, and every reason why one is not. */
import { describe, expect, test } from 'vitest'
import {
  codesOf,
  filing,
  IBAN,
  NAME,
  NIF,
  NOW,
  NRC,
  opened,
  pageFile,
  PATHS,
  read,
  spoiled,
} from './samples.ts'
import type { Change } from './samples.ts'

const OTHER = '12345678Z'
const NOTHING_DUE: Change = {
  first: {
    kind: 'N',
    '07': undefined,
    '09': undefined,
    '27': undefined,
    '28': undefined,
    '29': undefined,
    '45': undefined,
    '46': undefined,
  },
  last: { '64': undefined, '66': undefined, '69': undefined, '71': undefined },
}
/** A 303 with the opposite result: 100 to get back. */
function negative(kind: string, last: Change['last'] = {}): Change {
  return {
    first: {
      kind,
      '07': 52_381,
      '09': 11_000,
      '27': 11_000,
      '28': 100_000,
      '29': 21_000,
      '45': 21_000,
      '46': -10_000,
    },
    last: { '64': -10_000, '66': -10_000, '69': -10_000, '71': -10_000, ...last },
  }
}
const bank = (values: Record<string, string | number>) => [{ record: 'DID00', values }]

describe('a filed return', () => {
  test('is answered with every key, the amount with a comma and the address of its document', async () => {
    const world = opened()
    const text = await pageFile('303')
    const { status, json } = await world.file(text)
    expect(status).toBe(200)
    const [declared] = world.state.allDeclared()
    expect(json).toEqual({
      respuesta: {
        correcta: {
          FormaPago: '',
          CodigoSeguroVerificacion: expect.stringMatching(/^[0-9A-Z]{16}$/),
          Fecha: '2026-11-14',
          Hora: '10:32',
          Expediente: expect.stringMatching(/^2026303\d{8}[A-Z]$/),
          NIFPresentador: NIF,
          ApellidosNombrePresentador: NAME,
          TipoRepresentacion: '',
          NIFDeclarante: NIF,
          ApellidosNombreDeclarante: NAME,
          Modelo: '303',
          Ejercicio: '2026',
          Periodo: '1T',
          Justificante: expect.stringMatching(/^303\d{10}$/),
          NRCPago: NRC,
          ImporteAIngresar: '100,00',
          Idioma: 'ES',
          urlPdf: `https://www1.example.test${PATHS.document}?COMPLETA=SI&ORIGEN=E&NIF=&CSV=${declared?.csv}`,
          avisos: [],
          advertencias: [],
        },
      },
    })
    expect(world.state.allDeclared()).toEqual([
      {
        nif: NIF,
        model: '303',
        year: 2026,
        period: '1T',
        nature: 'first',
        kind: 'I',
        csv: json.respuesta.correcta.CodigoSeguroVerificacion,
        receipt: json.respuesta.correcta.Justificante,
        file: json.respuesta.correcta.Expediente,
        presentedAt: NOW.getTime(),
        resultCents: 10_000,
        presenterNif: NIF,
        presenterName: NAME,
        presenterAs: '',
        name: NAME,
        text,
      },
    ])
    // The same messages get the same numbers in another state.
    const again = opened()
    await again.file(text)
    expect(again.state.allDeclared()).toEqual(world.state.allDeclared())
  })

  test.each<[string, Change, Record<string, unknown>?]>([
    ['303', { first: { kind: 'G' } }],
    ['303', { first: { kind: 'U' }, more: bank({ iban: IBAN }) }],
    ['303', negative('C')],
    ['303', negative('V')],
    ['303', { ...negative('D'), more: bank({ iban: IBAN, sepa: 1 }) }],
    [
      '303',
      { ...negative('D'), more: bank({ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', sepa: 2 }) },
    ],
    [
      '303',
      {
        ...negative('X'),
        more: bank({
          iban: 'GB82WEST12345698765432',
          sepa: 3,
          bankName: 'WEST',
          bankAddress: 'A STREET',
          bankCity: 'LONDON',
          bankCountry: 'GB',
        }),
      },
    ],
    ['303', { ...NOTHING_DUE, last: { ...NOTHING_DUE.last, noActivity: 'X', '65': undefined } }],
    ['303', { period: '02', first: { fuelPayments: 2 } }],
    ['303', { period: '01', software: '' }],
    ['130', {}],
    [
      '130',
      {
        first: {
          kind: 'B',
          '01': 0,
          '02': 30_000,
          '03': -30_000,
          '04': 0,
          '05': 1000,
          '07': -1000,
          '12': 0,
          '13': 2000,
          '14': -2000,
          '17': -2000,
          '19': -2000,
        },
      },
    ],
    ['111', { first: { kind: 'U', iban: IBAN } }],
    ['111', { first: { kind: 'N', '01': 0, '02': 0, '03': 0, '28': 0, '30': 0 } }],
    ['115', { period: '03' }],
    ['123', {}],
    ['131', {}],
    ['390', {}],
  ])('may be a %s with %j', async (model, change, message) => {
    const world = opened()
    const answer = await world.file(await pageFile(model, clean(change)), message)
    expect(codesOf(answer)).toEqual([])
    expect(answer.json.respuesta.correcta.Modelo).toBe(model)
    expect(world.state.allDeclared()).toHaveLength(1)
  })

  test('may be filed by an attorney, who is named apart from the filer', async () => {
    const world = opened({ powers: [{ nif: OTHER, for: NIF, as: 'attorney' }] })
    const signed = { FIRNIF: OTHER, FIRNOMBRE: 'GESTOR ANA' }
    const answer = await world.file(await pageFile('303'), signed, { callers: [OTHER] })
    expect(answer.json.respuesta.correcta).toMatchObject({
      NIFPresentador: OTHER,
      ApellidosNombrePresentador: 'GESTOR ANA',
      TipoRepresentacion: 'Apoderado',
      NIFDeclarante: NIF,
    })
  })

  test.each([
    ['collaborator', 'Colaborador social'],
    ['legal', 'Representante legal'],
  ] as const)('names another capacity as it is registered: %s', async (as, named) => {
    const world = opened({ powers: [{ nif: OTHER, for: NIF, as }] })
    const signed = { FIRNIF: OTHER, FIRNOMBRE: 'GESTOR ANA' }
    const answer = await world.file(await pageFile('303'), signed, { callers: [OTHER] })
    expect(answer.json.respuesta.correcta).toMatchObject({ TipoRepresentacion: named })
  })

  test('for a transfer abroad may name an account that is no IBAN, and the BIC of its bank', async () => {
    const world = opened()
    const abroad = {
      iban: '0123456789',
      sepa: 3,
      bic: 'CHASUS33',
      bankName: 'CHASE',
      bankAddress: 'A STREET',
      bankCity: 'NEW YORK',
      bankCountry: 'US',
    }
    expect(
      codesOf(await world.file(await pageFile('303', { ...negative('X'), more: bank(abroad) }))),
    ).toEqual([])
    const { bankCity: _city, ...withoutCity } = abroad
    for (const wrong of [{ ...abroad, bic: 'CHAS' }, { ...abroad, bankCountry: 'ES' }, withoutCity]) {
      const answer = await opened().file(await pageFile('303', { ...negative('X'), more: bank(wrong) }))
      expect(codesOf(answer)).toEqual(['S0405'])
    }
  })

  test('gets its code from a given function', async () => {
    const world = opened({ newCsv: () => 'ABCD1234EFGH5678' })
    const answer = await world.file(await pageFile('115'))
    expect(answer.json.respuesta.correcta.CodigoSeguroVerificacion).toBe('ABCD1234EFGH5678')
  })

  test('needs a certificate, and another message than JSON gets a page', async () => {
    const world = opened()
    const text = await pageFile('303')
    expect(await world.file(text, {}, { callers: null })).toMatchObject({ status: 403, json: null })
    expect(await world.file(text, {}, { headers: { 'content-type': 'text/plain' } })).toMatchObject({
      status: 415,
    })
    expect(await world.file(text, {}, { method: 'GET' })).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
    })
    expect(read(await world.send('/wlpl/PFTW-PICW/PresBasica', ''))).toMatchObject({ status: 404 })
    expect(read(await world.send('//[', ''))).toMatchObject({ status: 404 })
    expect(world.state.allDeclared()).toEqual([])
  })
})

/** Zeros are left out of a file's values. */
function clean(change: Change): Change {
  const without = (values: Change['first']) =>
    values &&
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value === 0 ? undefined : value]))
  return { ...change, ...(change.first ? { first: without(change.first)! } : {}) }
}

type Case = [
  codes: string[],
  what: string,
  model: string,
  change: Change,
  spoil?: (text: string) => string,
  message?: Record<string, unknown>,
]

/** Each is right but for one thing. */
const WRONG: Case[] = [
  [['EMALREG'], 'cut off', '303', {}, (text) => text.slice(0, 900)],
  [['EMALREG'], 'of last year', '303', {}, (text) => text.replace('<T303020261T', '<T303020251T')],
  [['EMALREG'], 'with a letter in a box', '130', {}, (text) => spoiled(text, '01000', 120, 'X')],
  [['ECRLF'], 'with a line end', '303', {}, (text) => `${text}\r\n`],
  [['ECRLF'], 'with a tabulator', '303', {}, (text) => spoiled(text, '01000', 30, '\t')],
  [['S0006'], 'with a sign outside ISO-8859-1', '303', {}, (text) => spoiled(text, '01000', 23, '€')],
  [['E000060'], 'by a software house without number', '303', { software: 'SOFTWARE' }],
  [['30515', 'E010321'], 'with a rate in box 154', '303', {}, (text) => spoiled(text, '01000', 265, '00500')],
  [['30515', 'E010501'], 'with a rate in box 17', '303', {}, (text) => spoiled(text, '01000', 562, '00062')],
  [['30515', 'E010811'], 'with a rate in box 166', '303', {}, (text) => spoiled(text, '01000', 187, '00200')],
  [['30515', 'E010841'], 'with a rate in box 169', '303', {}, (text) => spoiled(text, '01000', 523, '00062')],
  [
    ['30515', 'S0201'],
    'with another rate in box 05',
    '303',
    {},
    (text) => spoiled(text, '01000', 304, '00750'),
  ],
  [['E0100803'], 'with two blanks in a name', '303', {}, (text) => spoiled(text, '01000', 23, 'TALLERES  N')],
  [['S0103'], 'with a dot in a name', '303', {}, (text) => spoiled(text, '01000', 23, 'S.L')],
  [
    ['S0103'],
    'with two blanks in the name of another model',
    '130',
    {},
    (text) => spoiled(text, '01000', 29, '  '),
  ],
  [['S0103'], 'without a name', '111', { first: { surnames: undefined } }],
  [
    ['S0101'],
    'with a wrong tax number',
    '303',
    { first: { nif: 'B12345675' } },
    undefined,
    { FIRNIF: 'B12345675' },
  ],
  [['S0104'], 'without its last page', '303', {}, (text) => text.replace(/<T30303000>.*<\/T30303000>/, '')],
  [
    ['S0104'],
    'with the page of the simplified regime, which it denies',
    '303',
    { more: [{ record: '02000', values: {} }] },
  ],
  [
    ['S0104'],
    'with the yearly page in the first quarter',
    '303',
    { more: [{ record: '04000', values: {} }] },
  ],
  [['S0104'], 'with two pages', '111', { more: [{ record: '01000', values: { kind: 'N' } }] }],
  [['EMALREG'], 'with another year in a page', '130', {}, (text) => spoiled(text, '01000', 103, '2025')],
  [['EMALREG'], 'with another period in a page', '303', {}, (text) => spoiled(text, '01000', 107, '2T')],
  [['S0008'], 'without a period in its page', '303', {}, (text) => spoiled(text, '01000', 107, '  ')],
  [['S0013'], 'of a month that it does not have', '130', { period: '05' }],
  [['S0012'], 'of a period that has not ended', '303', { period: '4T', first: { excusedFrom390: 2 } }],
  [
    ['S0105'],
    'without activity but with a figure',
    '303',
    { ...NOTHING_DUE, last: { ...NOTHING_DUE.last, noActivity: 'X', '110': 1, '87': 1 } },
  ],
  ...['27', '45', '46', '64', '66', '69', '71', '87'].map((box): Case => [
    ['S0202'],
    `with another amount in box ${box}`,
    '303',
    off('303', box),
  ]),
  ...['04', '07', '12', '14', '17', '19', '03'].map((box): Case => [
    ['S0202'],
    `with another amount in box ${box}`,
    '130',
    off('130', box),
  ]),
  [['S0202'], 'with another amount in box 28', '111', off('111', '28')],
  [['S0202'], 'with another amount in box 30', '111', off('111', '30')],
  [['S0202'], 'with another amount in box 05', '115', off('115', '05')],
  [['S0202'], 'with another amount in box 14', '123', off('123', '14')],
  [['S0203'], 'without the share of the State', '303', { last: { '65': undefined } }],
  [['S0203'], 'with a share above the whole', '303', { last: { '65': 10_001 } }],
  [
    ['S0202', 'S0204'],
    'that uses more than it carries',
    '303',
    { last: { '110': 1, '78': 2, '87': undefined } },
  ],
  [['S0205'], 'without a mark', '303', { first: { cashAccounting: undefined } }],
  [['S0205'], 'that opts for the pro rata in the first quarter', '303', { first: { optsForProrata: 1 } }],
  [['S0205'], 'excused from the 390 in the first quarter', '303', { first: { excusedFrom390: 1 } }],
  [['S0205'], 'with a turnover in the first quarter', '303', { first: { turnoverNotZero: 1 } }],
  [['S0205'], 'silent on fuel in a month', '303', { period: '02' }],
  [['S0205'], 'with fuel in a quarter', '303', { last: { '112': 1, '71': 9999 } }],
  [['S0301'], 'with a receipt but no rectification', '303', { last: { previousReceipt: '3030000000001' } }],
  [
    ['S0301'],
    'rectifying without a receipt',
    '303',
    { last: { rectifying: 'X', ordinaryRectification: 'X' } },
  ],
  [
    ['S0301'],
    'rectifying without a reason',
    '303',
    { last: { rectifying: 'X', previousReceipt: '3030000000001' } },
  ],
  [['S0301'], 'complementary without a receipt', '115', { first: { complementary: 'X' } }],
  [
    ['S0303'],
    'complementary to nothing',
    '115',
    { first: { complementary: 'X', previousReceipt: '1150000000001' } },
  ],
  [['S0304'], 'first but with an earlier payment', '115', { first: { '04': 1, '05': 9999 } }],
  [['S0401'], 'of kind N with a result', '303', { first: { kind: 'N' } }],
  [['S0401'], 'of kind C with a result', '303', { first: { kind: 'C' } }],
  [
    ['S0401'],
    'of kind I without a result',
    '303',
    { ...NOTHING_DUE, first: { ...NOTHING_DUE.first, kind: 'I' } },
  ],
  [['S0401'], 'of kind N with a negative result', '303', negative('N')],
  [['S0401'], 'of no kind', '111', { first: { kind: undefined } }],
  [['S0403'], 'for direct debit without an account', '303', { first: { kind: 'U' } }],
  [['S0403'], 'for direct debit without an account', '111', { first: { kind: 'U' } }],
  [
    ['S0404'],
    'with wrong check digits',
    '303',
    { first: { kind: 'U' }, more: bank({ iban: 'ES9221000418450200051332' }) },
  ],
  [
    ['S0404'],
    'with a short Spanish account',
    '115',
    { first: { kind: 'U', iban: 'ES912100041845020005133' } },
  ],
  [['EDID065'], 'with an account it does not need', '303', { more: bank({ iban: IBAN }) }],
  [['S0406'], 'with an account it does not need', '130', { first: { iban: IBAN } }],
  [['EDID112'], 'for a refund without SEPA mark', '303', { ...negative('D'), more: bank({ iban: IBAN }) }],
  [
    ['E030321'],
    'with a BIC of a Spanish account',
    '303',
    { ...negative('D'), more: bank({ iban: IBAN, sepa: 1, bic: 'CAIXESBBXXX' }) },
  ],
  [
    ['S0405'],
    'with a Spanish account abroad',
    '303',
    { ...negative('D'), more: bank({ iban: IBAN, sepa: 2 }) },
  ],
  [
    ['S0405'],
    'for a transfer abroad without the bank',
    '303',
    { ...negative('X'), more: bank({ iban: 'GB82WEST12345698765432', sepa: 3 }) },
  ],
  [['S0501'], 'to pay without reference', '303', {}, undefined, { NRC: '' }],
  [['S0502'], 'with a reference but kind G', '303', { first: { kind: 'G' } }, undefined, { NRC }],
  [['S0503'], 'with a short reference', '303', {}, undefined, { NRC: '303123' }],
  [['S0008'], 'of another model than the message', '303', {}, undefined, { MODELO: '390' }],
  [['S0008'], 'of another year than the message', '303', {}, undefined, { EJERCICIO: '2025' }],
  [['S0008'], 'of another period than the message', '303', {}, undefined, { PERIODO: '2T' }],
  [['S0007'], 'of a model with records', '303', {}, undefined, { MODELO: '347' }],
  [['S0009'], 'signed by somebody else than the certificate', '303', {}, undefined, { FIRNIF: OTHER }],
  [['S0011'], 'signed without a name', '303', {}, undefined, { FIRNOMBRE: ' ' }],
  [['S0004'], 'signed another way', '303', {}, undefined, { FIR: 'Firma' }],
  [['S0005'], 'in another language', '303', {}, undefined, { IDI: 'FR' }],
  [['S0002'], 'without a key', '303', {}, undefined, { NRC: undefined }],
  [['S0002'], 'with a number as text', '303', {}, undefined, { EJERCICIO: 2026 }],
  [['S0003'], 'with an unknown key', '303', {}, undefined, { FIC: '' }],
]

/** One box with a cent more, and those that follow from it as they are. */
function off(model: string, box: string): Change {
  const more = {
    '27': 21_001,
    '45': 11_001,
    '46': 10_001,
    '64': 10_001,
    '66': 10_002,
    '69': 10_001,
    '71': 10_001,
    '87': 1,
  }
  if (model === '303')
    return Number(box) < 50 ? { first: { [box]: more[box as '27'] } } : { last: { [box]: more[box as '27'] } }
  const base = { '03': 50_500, '28': 10_001, '30': 10_001, '05': 10_001 }
  return {
    first: { [box]: model === '130' ? (box === '03' ? 50_500 : 10_101) : (base[box as '03'] ?? 10_001) },
  }
}

describe('a return is refused', () => {
  test.each([
    ['123', { '06': 1 }, 'S0202'],
    ['123', { '09': 10_001 }, 'S0202'],
    ['123', { '01': 2, '03': 1 }, 'S0202'],
    ['123', { '01': 2, '02': 1, '03': 2 }, null],
    ['131', { '01': 1 }, 'S0202'],
    ['131', { '02': 1 }, 'S0202'],
    ['131', { '07': 10_001 }, 'S0202'],
    ['131', { '08': 1 }, 'S0202'],
    ['131', { '13': 9_999 }, 'S0202'],
    ['131', { '15': 9_999 }, 'S0202'],
    // A heading without its page.
    ['131', { iae1: '6731' }, 'S0104'],
  ])('as a %s with %j: %s', async (model, first, code) => {
    const found = codesOf(await opened().file(await pageFile(model, { first })))
    if (code === null) expect(found).toEqual([])
    else expect(found).toContain(code)
  })

  test.each(WRONG)('with %j if it is %s (%s)', async (codes, _what, model, change, spoil, message) => {
    const world = opened()
    const right = await pageFile(model, change)
    const answer = await world.file(spoil ? spoil(right) : right, message)
    expect(answer.status).toBe(200)
    expect(codesOf(answer)).toEqual(expect.arrayContaining(codes))
    // One mistake is not taken for another; a wrong sum may show in those that contain it.
    expect(new Set(codesOf(answer))).toEqual(new Set(codes))
    for (const line of answer.json.respuesta.errores) expect(line).toMatch(/^\w+ - .+/)
    expect(world.state.allDeclared()).toEqual([])
  })

  test('with S0001 if the message is no JSON object', async () => {
    const world = opened()
    for (const body of ['', '[]', 'null', '"F01"', '{', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const answer = read(
        await world.send(PATHS.file, body, { headers: { 'content-type': 'application/json' } }),
      )
      expect(codesOf(answer)).toEqual(['S0001'])
    }
  })

  test('with S0010 if the signer is neither the filer nor its attorney', async () => {
    const world = opened({ powers: [{ nif: OTHER, for: 'A28000982', as: 'attorney' }] })
    const answer = await world.file(await pageFile('303'), { FIRNIF: OTHER }, { callers: [OTHER] })
    expect(codesOf(answer)).toEqual(['S0010'])
  })

  test('with 30650 if an excused filer denies a turnover that it declares', async () => {
    const world = opened()
    world.clock.now = new Date('2027-01-20T10:00:00Z')
    const last = (turnoverNotZero: number): Change => ({
      period: '4T',
      first: { excusedFrom390: 1, turnoverNotZero },
      more: [{ record: '04000', values: { '80': 100_000, '88': 100_000 } }],
    })
    expect(codesOf(await world.file(await pageFile('303', last(2))))).toEqual(['30650'])
    expect(codesOf(await world.file(await pageFile('303', last(1))))).toEqual([])
  })

  test('with at most a hundred errors', async () => {
    const world = opened()
    const text = await pageFile('303')
    const zeros = `${'X'.repeat(2200)}`
    const answer = await world.file(
      spoiled(spoiled(text, '01000', 131, zeros.slice(0, 900)), '03000', 12, zeros.slice(0, 400)),
    )
    expect(codesOf(answer).length).toBeGreaterThan(50)
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`K${at}`, '']))
    const other = await world.file(text, many)
    expect(codesOf(other)).toEqual(Array.from({ length: 100 }, () => 'S0003'))
  })
})

describe('a second filing', () => {
  test('of the same return is refused and names the one that stands', async () => {
    const world = opened()
    const text = await pageFile('303')
    await world.file(text)
    const [declared] = world.state.allDeclared()
    const second = await world.file(text)
    expect(codesOf(second)).toEqual(['S0302'])
    for (const number of [declared?.receipt, declared?.csv, declared?.file])
      expect(second.json.respuesta.errores[0]).toContain(number)
    expect(world.state.allDeclared()).toHaveLength(1)
    // Another period, and another filer, are other returns.
    expect(codesOf(await world.file(await pageFile('303', { period: '2T' })))).toEqual([])
  })

  test('may rectify a 303, by the receipt of the earlier one', async () => {
    const world = opened()
    await world.file(await pageFile('303'))
    const receipt = world.state.allDeclared()[0]?.receipt ?? ''
    const rectifying = (previousReceipt: string, more: Change['last'] = {}): Promise<string> =>
      pageFile('303', {
        first: { kind: 'I', '07': 110_000, '09': 23_100, '27': 23_100, '46': 12_100 },
        last: {
          '64': 12_100,
          '66': 12_100,
          '69': 12_100,
          '70': 10_000,
          '71': 2_100,
          rectifying: 'X',
          ordinaryRectification: 'X',
          previousReceipt,
          ...more,
        },
      })
    expect(codesOf(await world.file(await rectifying('3030000000009')))).toEqual(['S0303'])
    const answer = await world.file(await rectifying(receipt))
    expect(answer.json.respuesta.correcta.ImporteAIngresar).toBe('21,00')
    const [first, second] = world.state.allDeclared()
    expect(second).toMatchObject({ nature: 'rectifying', resultCents: 2100 })
    expect(
      new Set([first?.csv, second?.csv, first?.receipt, second?.receipt, first?.file, second?.file]).size,
    ).toBe(6)
  })

  test('may give back what was paid in excess, as kind N with an account', async () => {
    const world = opened()
    await world.file(await pageFile('303'))
    const previousReceipt = world.state.allDeclared()[0]?.receipt ?? ''
    const lowered = (kind: string, more: Change['more'], last: Change['last'] = {}): Promise<string> =>
      pageFile('303', {
        first: { kind, '07': 90_000, '09': 18_900, '27': 18_900, '46': 7_900 },
        last: {
          '64': 7_900,
          '66': 7_900,
          '69': 7_900,
          '70': 10_000,
          '71': -2_100,
          '111': 2_100,
          rectifying: 'X',
          ordinaryRectification: 'X',
          previousReceipt,
          ...last,
        },
        more: more ?? [],
      })
    const account = bank({ iban: IBAN, sepa: 1 })
    expect(codesOf(await world.file(await lowered('C', account)))).toEqual(['S0401'])
    expect(codesOf(await world.file(await lowered('N', [])))).toEqual(['S0403'])
    expect(codesOf(await world.file(await lowered('N', bank({ iban: IBAN }))))).toEqual(['EDID112'])
    expect(codesOf(await world.file(await lowered('N', account, { '111': 2_101 })))).toContain('S0301')
    expect(
      codesOf(
        await world.file(await lowered('N', account, { '108': 1, '69': 7_901, '71': -2_099, '111': 2_099 })),
      ),
    ).toEqual(['S0301'])
    expect(codesOf(await world.file(await lowered('N', [], { cancelsDebit: 'X' })))).toEqual([])
    expect(world.state.allDeclared().at(-1)).toMatchObject({ resultCents: -2100, kind: 'N' })
  })

  test.each([
    ['130', '18', { '17': 10_000, '19': 4_000 }],
    ['111', '29', { '28': 10_000, '30': 4_000 }],
    ['115', '04', { '03': 10_000, '05': 4_000 }],
    ['123', '13', { '12': 10_000, '14': 4_000 }],
    ['131', '14', { '13': 10_000, '15': 4_000 }],
  ])('may complement a %s, with what was paid before in box %s', async (model, box, sums) => {
    const world = opened()
    const small: Record<string, Record<string, number>> = {
      '130': {
        '01': 40_000,
        '03': 30_000,
        '04': 6_000,
        '07': 6_000,
        '12': 6_000,
        '14': 6_000,
        '17': 6_000,
        '19': 6_000,
      },
      '111': { '03': 6_000, '28': 6_000, '30': 6_000 },
      '115': { '03': 6_000, '05': 6_000 },
      '123': { '07': 6_000, '09': 6_000, '12': 6_000, '14': 6_000 },
      '131': { '03': 300_000, '04': 6_000, '07': 6_000, '10': 6_000, '13': 6_000, '15': 6_000 },
    }
    await world.file(await pageFile(model, { first: small[model]! }))
    const previousReceipt = world.state.allDeclared()[0]?.receipt ?? ''
    const complementary = (paid: number, result: number): Promise<string> =>
      pageFile(model, {
        first: {
          ...sums,
          [box]: paid,
          [Object.keys(sums)[1] ?? '']: result,
          complementary: 'X',
          previousReceipt,
        },
      })
    expect(codesOf(await world.file(await complementary(5_000, 5_000)))).toEqual(['S0304'])
    expect(codesOf(await world.file(await complementary(6_000, 4_000)))).toEqual([])
    expect(world.state.allDeclared().at(-1)).toMatchObject({ nature: 'complementary', resultCents: 4_000 })
  })

  test('may replace a 390', async () => {
    const world = opened()
    await world.file(await pageFile('390'))
    const previousReceipt = world.state.allDeclared()[0]?.receipt ?? ''
    expect(codesOf(await world.file(await pageFile('390')))).toEqual(['S0302'])
    const replacing = await pageFile('390', { first: { replaces: 1, previousReceipt } })
    expect(codesOf(await world.file(replacing))).toEqual([])
    expect(world.state.allDeclared().at(-1)).toMatchObject({ nature: 'substitutive' })
  })

  test('of two at once, one is taken', async () => {
    const world = opened()
    const text = await pageFile('303')
    const answers = await Promise.all([world.file(text), world.file(text)])
    expect(answers.map(codesOf)).toEqual([[], ['S0302']])
  })
})

test('a message has the keys that the service documents', () => {
  expect(Object.keys(filing('<T303020261T0000>'))).toEqual([
    'MODELO',
    'EJERCICIO',
    'PERIODO',
    'NRC',
    'IDI',
    'F01',
    'FIR',
    'FIRNIF',
    'FIRNOMBRE',
  ])
})
