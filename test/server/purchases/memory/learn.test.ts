/** Learning from entered documents: places become known after two, fall back after one correction, and never outvote a proof. */
import { describe, expect, test } from 'vitest'
import type { Proposal } from '../../../../server/purchases/intake/contract.ts'
import type { ReceivedInput } from '../../../../server/purchases/invoices/contract.ts'
import { withMemory } from '../../../../server/purchases/memory/apply.ts'
import { learned } from '../../../../server/purchases/memory/learn.ts'
import { corrected, taughtAgain, withdrawn } from '../../../../server/purchases/memory/revise.ts'
import { MOST_MEMORY } from '../../../../server/purchases/memory/shape.ts'
import type { SupplierMemory } from '../../../../server/purchases/memory/shape.ts'
import { pageOfText } from '../../../../server/purchases/intake/pages/text-page.ts'
import { proposalOfPages, proposalOfText } from '../../../support/stages/read-text.ts'

interface Paper {
  number: string
  date: string
  due?: string
  iban?: string
}

/** A supplier whose labels the reader does not know. */
const odd = ({ number, date, due, iban }: Paper): string => `Ferretería Luna, S.L.
Polígono Cogullada, calle B. Zaragoza
NIF B58818501
Ref. documental: ${number}
Fecha: ${date}
${due === undefined ? '' : `Giraremos el: ${due}`}
Base imponible 21% 100,00
Cuota IVA 21,00
Total a pagar 121,00 EUR
${iban === undefined ? '' : `Transferencia a ${iban}`}`

const ISO = (day: string): string => day.split('/').toReversed().join('-')
const input = ({ number, date, due }: Paper, more: Partial<ReceivedInput> = {}): ReceivedInput => ({
  supplierName: 'Ferretería Luna, S.L.',
  supplierNif: 'B58818501',
  supplierNumber: number,
  issueDate: ISO(date),
  ...(due === undefined ? {} : { dueDate: ISO(due) }),
  taxLines: [{ base: 100, vatRate: 21, tax: 21 }],
  concept: 'G13',
  account: '622',
  paymentMethod: 'transfer',
  ...more,
})

const PAPERS: Paper[] = [
  { number: 'RX-1041', date: '05/01/2026', due: '04/02/2026' },
  { number: 'RX-1077', date: '09/02/2026', due: '11/03/2026' },
  { number: 'RX-1102', date: '02/03/2026', due: '01/04/2026' },
  { number: 'RX-1190', date: '07/04/2026', due: '07/05/2026' },
]

const shown = (memory: SupplierMemory | null, paper: Paper): Proposal => {
  const read = proposalOfText(odd(paper))
  return memory ? withMemory(read, memory).proposal : read
}

const entered = (
  memory: SupplierMemory | null,
  paper: Paper,
  more: Partial<ReceivedInput> = {},
): SupplierMemory =>
  learned(memory, { proposal: shown(memory, paper), input: input(paper, more), today: '2026-12-31' })

/** What is remembered after so many documents, each entered as it says. */
const after = (count: number): SupplierMemory =>
  PAPERS.slice(0, count).reduce<SupplierMemory | null>((memory, paper) => entered(memory, paper), null)!

describe('a number at a label that the reader does not know', () => {
  test('is missing in the first document and proposed in the second, where nothing proves it', () => {
    expect(shown(null, PAPERS[0]!).supplierNumber).toBeUndefined()
    const second = shown(after(1), PAPERS[1]!)
    expect(second.supplierNumber).toBe('RX-1077')
    expect(second.levels['supplierNumber']).toBe('read')
  })

  test('is known once two documents were entered without a correction of it', () => {
    expect(shown(after(2), PAPERS[2]!).levels['supplierNumber']).toBe('read')
    const fourth = shown(after(3), PAPERS[3]!)
    expect(fourth).toMatchObject({ supplierNumber: 'RX-1190', levels: { supplierNumber: 'known' } })
    expect(fourth.evidence['supplierNumber']).toMatchObject([
      { reason: 'known_layout', args: { label: 'ref documental' } },
    ])
  })

  test('falls back after one correction', () => {
    const memory = entered(after(3), PAPERS[3]!, { supplierNumber: 'RX-9999-B' })
    const next = shown(memory, { number: 'RX-1201', date: '04/05/2026' })
    expect(next.levels['supplierNumber']).not.toBe('known')
  })

  test('of another shape is not known', () => {
    const next = shown(after(3), { ...PAPERS[3]!, number: 'ALB/7' })
    expect(next.levels['supplierNumber']).not.toBe('known')
    expect(next.supplierNumber).toBeUndefined()
  })

  test('in another layout is not known', () => {
    const text = `Comercial Otra Cosa\nDocumento mercantil distinto\nAvenida Sur\nNIF B58818501\nRef. documental: RX-1190\nFecha: 07/04/2026\nTotal a pagar 121,00 EUR`
    const read = withMemory(proposalOfText(text), after(3)).proposal
    expect(read.levels['supplierNumber']).not.toBe('known')
  })

  test('twice at its label, with two values, is left open', () => {
    const text = odd(PAPERS[3]!).replace('Fecha:', 'Ref. documental: RX-5555\nFecha:')
    expect(withMemory(proposalOfText(text), after(3)).proposal.levels['supplierNumber']).not.toBe('known')
  })
})

describe('days', () => {
  test('become known at their labels', () => {
    const third = shown(after(3), PAPERS[3]!)
    expect(third).toMatchObject({ issueDate: '2026-04-07', dueDate: '2026-05-07' })
    expect(third.levels).toMatchObject({ issueDate: 'known', dueDate: 'known' })
  })

  test('a due date that no document prints is the usual term; sure when the paper has no later day', () => {
    const papers = PAPERS.map(({ due: _due, ...paper }) => paper)
    let memory: SupplierMemory | null = null
    for (const paper of papers.slice(0, 3))
      memory = learned(memory, {
        proposal: shown(memory, paper),
        input: { ...input(paper), dueDate: addMonth(ISO(paper.date)) },
        today: '2026-12-31',
      })
    const fourth = shown(memory, papers[3]!)
    expect(fourth.dueDate).toBe('2026-05-07')
    expect(fourth.levels['dueDate']).toBe('known')
    const later = proposalOfText(`${odd(papers[3]!)}\nServicio prestado hasta: 30/04/2026`)
    expect(withMemory(later, memory!).proposal.levels['dueDate']).not.toBe('known')
  })
})

const addMonth = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 30 * 86_400_000).toISOString().slice(0, 10)

describe('a proof', () => {
  test('is never outvoted', () => {
    const read = proposalOfText(odd(PAPERS[3]!))
    read.supplierNumber = 'QR-1'
    read.levels['supplierNumber'] = 'proven'
    read.issueDate = '2026-04-01'
    read.levels['issueDate'] = 'proven'
    const { proposal } = withMemory(read, after(3))
    expect(proposal).toMatchObject({ supplierNumber: 'QR-1', issueDate: '2026-04-01' })
  })

  test('taxes and totals are as they were read', () => {
    const read = proposalOfText(odd(PAPERS[3]!))
    const { proposal } = withMemory(read, after(3))
    expect(proposal.taxLines).toEqual(read.taxLines)
    expect(proposal.total).toBe(read.total)
    expect(proposal.levels['total']).toBe(read.levels['total'])
  })

  test('another value that the reader found as exact text at its own label keeps the rule from being sure', () => {
    const text = odd(PAPERS[3]!).replace('NIF B58818501', 'NIF B58818501\nFactura nº: 2026-77')
    const { proposal } = withMemory(proposalOfText(text), after(3))
    expect(proposal.levels['supplierNumber']).toBe('guess')
    expect([proposal.supplierNumber, ...(proposal.alternatives['supplierNumber'] ?? [])]).toEqual(
      expect.arrayContaining(['RX-1190', '2026-77']),
    )
  })
})

describe('in a picture', () => {
  const picture = (paper: Paper, seen: string, second: string): Proposal => {
    const page = pageOfText(odd({ ...paper, number: seen }))
    const [first = []] = page.readings
    const other = first.map((word) => (word.t === seen ? { ...word, t: second } : word))
    return proposalOfPages([
      { ...page, source: 'ocr', readings: [first.map((word) => ({ ...word, conf: 96 })), other] },
    ])
  }

  test('a letter that OCR took for a digit is repaired by the shape, and sure if both readings then agree', () => {
    const memory = [
      { number: 'PI00041', date: '05/01/2026' },
      { number: 'PI00077', date: '09/02/2026' },
      { number: 'PI00102', date: '02/03/2026' },
    ].reduce<SupplierMemory | null>((known, paper) => entered(known, paper), null)!
    const paper = { number: 'PI00190', date: '07/04/2026' }
    const repaired = withMemory(picture(paper, 'P100190', 'PI00190'), memory).proposal
    expect(repaired).toMatchObject({ supplierNumber: 'PI00190', levels: { supplierNumber: 'known' } })
    const torn = withMemory(picture(paper, 'P100190', 'PI00790'), memory).proposal
    expect(torn.levels['supplierNumber']).not.toBe('known')
  })
})

describe('what is usual', () => {
  test('is proposed after one document and known after two', () => {
    const second = shown(after(1), PAPERS[1]!)
    expect(second).toMatchObject({ concept: 'G13', account: '622', paymentMethod: 'transfer' })
    expect(second.levels).toMatchObject({ concept: 'guess', account: 'guess' })
    expect(shown(after(2), PAPERS[2]!).levels).toMatchObject({ concept: 'known', account: 'known' })
  })

  test('a changed concept is a guess again', () => {
    const memory = entered(after(3), PAPERS[3]!, { concept: 'G22', account: '629' })
    const next = shown(memory, { number: 'RX-1201', date: '04/05/2026' })
    expect(next).toMatchObject({ concept: 'G22', levels: { concept: 'guess' } })
  })

  test('a deductible part is put on the lines, all of it is not', () => {
    const half = input(PAPERS[0]!)
    half.taxLines = [{ base: 100, vatRate: 21, tax: 21, deductiblePct: 50 }]
    const memory = learned(null, { proposal: shown(null, PAPERS[0]!), input: half, today: '2026-12-31' })
    const next = shown(memory, PAPERS[1]!)
    expect(next.taxLines[0]).toMatchObject({ deductiblePct: 50 })
    expect(next.levels['deductiblePct']).toBe('guess')
    const whole = learned(null, {
      proposal: null,
      input: { ...half, taxLines: [{ base: 100, deductiblePct: 100 }] },
      today: '2026-12-31',
    })
    expect(whole.usual.deductiblePct).toBeUndefined()
  })
})

describe('warnings', () => {
  const FIRST = 'ES9121000418450200051332'
  const SECOND = 'ES7921000813610123456789'

  test('a new account of a known supplier is told, and not sure; the known one is not', () => {
    const memory = entered(null, { ...PAPERS[0]!, iban: FIRST })
    expect(memory.ibans).toMatchObject([{ iban: FIRST, documents: 1 }])
    const changed = withMemory(proposalOfText(odd({ ...PAPERS[1]!, iban: SECOND })), memory)
    expect(changed.warnings).toMatchObject([{ code: 'iban_new', params: { iban: SECOND, known: FIRST } }])
    expect(changed.proposal.levels['iban']).toBe('guess')
    expect(withMemory(proposalOfText(odd({ ...PAPERS[1]!, iban: FIRST })), memory).warnings).toEqual([])
  })

  test('an account is compared with that of the contact, too', () => {
    const read = proposalOfText(odd({ ...PAPERS[1]!, iban: SECOND }))
    const unknown = learned(null, { proposal: null, input: input(PAPERS[0]!), today: '2026-12-31' })
    expect(withMemory(read, unknown, [FIRST]).warnings).toMatchObject([{ code: 'iban_new' }])
    expect(withMemory(read, unknown).warnings).toEqual([])
  })

  test('changed days to pay and a changed withholding are told', () => {
    const soon = withMemory(proposalOfText(odd({ ...PAPERS[3]!, due: '09/04/2026' })), after(3))
    expect(soon.warnings).toMatchObject([{ code: 'terms_changed', params: { days: 2, usual: 30 } }])
    const withheld = [PAPERS[0]!, PAPERS[1]!].reduce<SupplierMemory | null>(
      (memory, paper) => entered(memory, paper, { withholding: { rate: 15 } }),
      null,
    )!
    expect(withMemory(proposalOfText(odd(PAPERS[2]!)), withheld).warnings).toMatchObject([
      { code: 'withholding_changed', params: { rate: 0, usual: 15 } },
    ])
  })
})

describe('an entry that taught', () => {
  /** The last of three documents as its entry had it. */
  const LAST = PAPERS[2]!
  const change = (memory: SupplierMemory, more: Partial<ReceivedInput>): SupplierMemory =>
    corrected(memory, {
      proposal: shown(after(2), LAST),
      before: input(LAST),
      after: input(LAST, more),
    })
  const levelsOf = (memory: SupplierMemory) => shown(memory, PAPERS[3]!).levels

  test('and is corrected in one field makes that field uncertain, and no other', () => {
    const memory = change(after(3), { supplierNumber: 'RX-1102-B' })
    expect(levelsOf(after(3))).toMatchObject({ supplierNumber: 'known', issueDate: 'known' })
    expect(levelsOf(memory)['supplierNumber']).not.toBe('known')
    expect(levelsOf(memory)).toMatchObject({ issueDate: 'known', dueDate: 'known', concept: 'known' })
  })

  test('and is corrected to another day of the paper teaches its label, as of a first document', () => {
    const memory = change(after(3), { issueDate: ISO(LAST.due!) })
    const rules = memory.layouts[0]!.rules.filter(({ field }) => field === 'issueDate')
    expect(rules).toMatchObject([
      { label: 'giraremos el', streak: 0, hits: 1 },
      { label: 'fecha', streak: 0, hits: 2, misses: 1 },
    ])
    expect(levelsOf(memory)['issueDate']).not.toBe('known')
  })

  test('and is corrected leaves a usual value proposed that other entries have, and replaces its own', () => {
    const shared = change(after(3), { concept: 'G22' })
    expect(shared.usual.concept).toEqual({ value: 'G13', streak: 1 })
    const own = corrected(after(1), {
      proposal: shown(null, PAPERS[0]!),
      before: input(PAPERS[0]!),
      after: input(PAPERS[0]!, { concept: 'G22' }),
    })
    expect(own.usual.concept).toEqual({ value: 'G22', streak: 1 })
    expect(own.usual.account).toEqual({ value: '622', streak: 1 })
  })

  test('and is corrected counts as a correction of what was shown, until it is put back', () => {
    const known = after(4)
    const [paper, proposal] = [PAPERS[3]!, shown(after(3), PAPERS[3]!)]
    const wrong = input(paper, { supplierNumber: 'RX-1191' })
    const late = corrected(known, { proposal, before: input(paper), after: wrong })
    expect(known.fields['supplierNumber']).toMatchObject({ corrected: 0, sureCorrected: 0 })
    expect(late.fields['supplierNumber']).toMatchObject({ shown: 3, corrected: 1, sureCorrected: 1 })
    const back = corrected(late, { proposal, before: wrong, after: input(paper) })
    expect(back.fields['supplierNumber']).toMatchObject({ shown: 3, corrected: 0, sureCorrected: 0 })
    expect(levelsOf(back)['supplierNumber']).not.toBe('known')
  })

  test('and is voided takes its confirmation, its account and its words back', () => {
    const iban = 'ES9121000418450200051332'
    const paper = { ...PAPERS[2]!, iban }
    const known = entered(after(2), paper)
    const proposal = shown(after(2), paper)
    expect(known.ibans).toHaveLength(1)
    const left = withdrawn(known, { proposal, input: input(paper) })
    expect({ ...left, fields: null }).toMatchObject({ ...after(2), fields: null })
    expect(
      withdrawn(after(1), { proposal: shown(null, PAPERS[0]!), input: input(PAPERS[0]!) }),
    ).toMatchObject({
      layouts: [],
      usual: {},
      words: {},
    })
  })

  test('and is voided and restored makes nothing known, however often', () => {
    // The third document corrected the number, so that one confirmation follows the correction at most.
    let memory = entered(after(2), LAST, { supplierNumber: 'RX-0000' })
    const lesson = { proposal: shown(null, PAPERS[0]!), input: input(PAPERS[0]!), today: '2026-12-31' }
    const [{ documents }, counts] = [memory.layouts[0]!, memory.fields]
    for (let turn = 0; turn < 4; turn++) memory = taughtAgain(withdrawn(memory, lesson), lesson)
    expect(levelsOf(memory)['supplierNumber']).not.toBe('known')
    expect(memory.layouts[0]!.documents).toBe(documents)
    expect(memory.fields).toEqual(counts)
    const sure = taughtAgain(withdrawn(after(4), lesson), lesson)
    expect(levelsOf(sure)).toMatchObject({ supplierNumber: 'known', concept: 'known' })
  })
})

test('corrections of each field are counted, those of sure ones apart', () => {
  const memory = entered(after(3), PAPERS[3]!, { supplierNumber: 'RX-1191' })
  expect(memory.fields['supplierNumber']).toEqual({ shown: 3, sure: 1, corrected: 1, sureCorrected: 1 })
})

test('a memory stays small, however many layouts and words its documents have', () => {
  let memory: SupplierMemory | null = null
  for (let index = 0; index < 15; index++) {
    const words = Array.from(
      { length: 200 },
      (_, at) => `palabra${String.fromCodePoint(97 + (at % 26))}x${index}y${at}`,
    )
    const text = `${words.slice(0, 20).join(' ')}\n${odd(PAPERS[index % 4]!)}\n${words.join('\n')}`
    memory = learned(memory, {
      proposal: proposalOfText(text),
      input: input(PAPERS[index % 4]!),
      today: '2026-12-31',
    })
  }
  expect(JSON.stringify(memory).length).toBeLessThan(MOST_MEMORY / 4)
})
