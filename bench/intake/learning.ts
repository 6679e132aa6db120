/**
 * Prints how many corrections the first, second, third and fourth document of a supplier need:
 * `node bench/intake/learning.ts [CORPUS] [--suppliers 40] [--seed 29] [--detail]`. Suppliers are generated in the layouts of the
 * set `own`, a third of them with labels that the reader does not know; with a corpus, each of its documents is also read again with
 * another number and other days. A person enters the truth and books as each supplier is always booked.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Proposal } from '../../server/purchases/intake/contract.ts'
import type { ReceivedInput } from '../../server/purchases/invoices/contract.ts'
import { addDays } from '../../server/domain/dates.ts'
import { normalizeNif } from '../../server/domain/tax/nif.ts'
import { seePdf } from '../../server/purchases/intake/pdf.ts'
import type { Page } from '../../server/purchases/intake/pages/page.ts'
import { takeReadings } from '../../server/purchases/intake/proposal.ts'
import { emptyProposal } from '../../server/purchases/intake/read-result.ts'
import type { ReadResult } from '../../server/purchases/intake/read-result.ts'
import { readPages } from '../../server/purchases/intake/reading/read-pages.ts'
import { withMemory } from '../../server/purchases/memory/apply.ts'
import { classify, taughtBy, wordModelOf } from '../../server/purchases/memory/classify.ts'
import { learned } from '../../server/purchases/memory/learn.ts'
import type { SupplierMemory } from '../../server/purchases/memory/shape.ts'
import { Dice } from './corpus/dice.ts'
import { OWN } from './corpus/facts.ts'
import { SETS } from './corpus/layouts/index.ts'
import type { Layout } from './corpus/scene.ts'
import { drawSupplier, nextNumber } from './corpus/supplier.ts'
import { laterPages, withOddLabels } from './learning-facts.ts'
import { readCorpus } from './truth.ts'
import type { TruthFields } from './truth.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    suppliers: { type: 'string', default: '40' },
    seed: { type: 'string', default: '29' },
    detail: { type: 'boolean' },
  },
})

/** Documents of each supplier. */
const ROUNDS = 4
const TODAY = '2026-12-31'

/** How a supplier is always booked, which no paper says. */
interface Booking {
  concept: string
  account: string
  deductiblePct: number | null
  paymentMethod: string | null
  /** Days to pay where the paper names no due date. */
  termDays: number | null
}

interface Lesson {
  pages: readonly Page[]
  fields: TruthFields
}

interface Supplier {
  id: string
  ownNif: string
  booking: Booking
  documents: Lesson[]
}

const BOOKINGS: readonly (readonly [concept: string, account: string])[] = [
  ['G01', '600'],
  ['G03', '602'],
  ['G13', '622'],
  ['G19', '623'],
  ['G22', '629'],
  ['G12', '621'],
  ['G22', '627'],
]

const METHODS = ['transfer', 'direct_debit', 'card', 'cash'] as const

function bookingOf(dice: Dice, fields: TruthFields): Booking {
  const [concept, account] = dice.of(BOOKINGS)
  return {
    concept,
    account,
    deductiblePct: dice.next() < 0.15 ? 50 : null,
    paymentMethod: fields.paymentMethod ?? dice.of(METHODS),
    termDays: dice.next() < 0.5 ? dice.of([15, 30, 60]) : null,
  }
}

/** What a person enters of a document. */
function inputOf(fields: TruthFields, booking: Booking): ReceivedInput {
  const { issueDate } = fields
  if (issueDate === null) throw new Error('A document of the corpus has no day.')
  const term = booking.termDays
  return {
    supplierName: fields.supplierName ?? '',
    supplierNif: fields.supplierNif,
    supplierNumber: fields.number,
    issueDate,
    dueDate: fields.dueDate ?? (term === null ? null : addDays(issueDate, term)),
    taxLines: fields.taxLines.map((line) => ({
      ...line,
      ...(booking.deductiblePct === null ? {} : { deductiblePct: booking.deductiblePct }),
    })),
    withholding: fields.withholding,
    concept: booking.concept,
    account: booking.account,
    paymentMethod: booking.paymentMethod as ReceivedInput['paymentMethod'],
  }
}

const bare = (text: string | null | undefined): string =>
  (text ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9/-]/g, '')

const COUNTED: Record<string, (of: Proposal | ReceivedInput) => string> = {
  supplierName: (of) => bare(of.supplierName),
  supplierNif: (of) => bare(of.supplierNif),
  number: (of) => bare(of.supplierNumber),
  issueDate: (of) => of.issueDate ?? '',
  dueDate: (of) => of.dueDate ?? '',
  // What is not subject is no part of the truth's lines.
  taxLines: (of) =>
    of.taxLines
      .filter(({ taxTreatment }) => taxTreatment !== 'N1')
      .map(({ base, vatRate, tax, surcharge }) => `${base} ${vatRate ?? 0} ${tax ?? 0} ${surcharge ?? 0}`)
      .toSorted()
      .join(';'),
  withholding: (of) => String(of.withholding?.rate ?? 0),
  paymentMethod: (of) => of.paymentMethod ?? '',
  concept: (of) => of.concept ?? 'G22',
  account: (of) => of.account ?? '',
  deductiblePct: (of) => String(of.taxLines[0]?.deductiblePct ?? 100),
}
const SURE = ['proven', 'known']
const LEVEL_OF: Record<string, string> = { number: 'supplierNumber' }

function shownOf({ pages }: Lesson, ownNif: string): Proposal {
  const readings = readPages(pages, { ownNif, ownName: OWN.name, today: TODAY })
  const found: ReadResult = { proposal: emptyProposal('none', 'PDF'), warnings: [], readings: [] }
  takeReadings(found, readings, { pages, unread: [] })
  return found.proposal as Proposal
}

interface Round {
  documents: number
  corrections: Map<string, number>
  sure: Map<string, number>
  sureWrong: string[]
}

const newRound = (): Round => ({ documents: 0, corrections: new Map(), sure: new Map(), sureWrong: [] })

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1)
}

function measure(suppliers: readonly Supplier[]): Round[] {
  const rounds = Array.from({ length: ROUNDS }, newRound)
  const book = new Map<string, SupplierMemory>()
  for (let turn = 0; turn < ROUNDS; turn++)
    for (const { id, ownNif, booking, documents } of suppliers) {
      const lesson = documents[turn]
      const round = rounds[turn]
      if (!lesson || !round) continue
      const input = inputOf(lesson.fields, booking)
      const read = shownOf(lesson, ownNif)
      // Found by the number that was read, kept under the number that was entered.
      const [found, key] = [normalizeNif(read.supplierNif ?? ''), normalizeNif(input.supplierNif ?? '')]
      const memory = book.get(found)
      const shown = memory ? withMemory(read, memory).proposal : read
      if (shown.concept === undefined) {
        const taught = [...book.values()].flatMap((each) => taughtBy(each) ?? [])
        const best = classify(wordModelOf(taught), shown.layout?.words ?? [])
        if (best?.concept) shown.concept = best.concept
      }
      round.documents += 1
      for (const [field, of] of Object.entries(COUNTED)) {
        const isSure = SURE.includes(shown.levels[LEVEL_OF[field] ?? field] ?? '')
        if (isSure) count(round.sure, field)
        if (of(shown) === of(input)) continue
        count(round.corrections, field)
        if (isSure) round.sureWrong.push(`${id} ${field}: shown ${of(shown)}, is ${of(input)}`)
        if (values.detail) console.log(`${turn + 1} ${id} ${field}: shown "${of(shown)}", is "${of(input)}"`)
      }
      // What was read of somebody else's paper says nothing of this supplier's.
      const proposal = found === '' || found === key ? shown : null
      book.set(key, learned(book.get(key) ?? null, { proposal, input, today: TODAY }))
    }
  return rounds
}

const total = ({ corrections }: Round): number =>
  [...corrections.values()].reduce((sum, each) => sum + each, 0)

function print(title: string, rounds: readonly Round[]): void {
  console.log(`\n${title}: ${rounds[0]?.documents ?? 0} suppliers, ${ROUNDS} documents each`)
  console.log(
    `corrections         ${rounds.map((_, index) => `${index + 1}.`.padStart(6)).join('')}   sure, last`,
  )
  for (const field of Object.keys(COUNTED)) {
    const cells = rounds.map(({ corrections }) => String(corrections.get(field) ?? 0).padStart(6))
    console.log(
      `${field.padEnd(20)}${cells.join('')}${String(rounds.at(-1)?.sure.get(field) ?? 0).padStart(13)}`,
    )
  }
  console.log(`${'all'.padEnd(20)}${rounds.map((round) => String(total(round)).padStart(6)).join('')}`)
  const [first] = rounds
  if (first && total(first) > 0)
    console.log(
      `${'of the first'.padEnd(20)}${rounds.map((round) => `${Math.round((total(round) / total(first)) * 100)} %`.padStart(6)).join('')}`,
    )
  const wrong = rounds.flatMap(({ sureWrong }) => sureWrong)
  console.log(`wrong but sure: ${wrong.length}${wrong.map((each) => `\n  ${each}`).join('')}`)
}

/** Returns a layout without credit notes, which no supplier sends alone; null for suppliers whom no tax number names. */
function purchasesOf(layout: Layout): Layout | null {
  const kinds = Object.entries(layout.kinds).filter(
    ([, wish]) => !wish.isCredit && wish.untaxed !== 'outside',
  )
  return kinds.length === 0 ? null : { ...layout, kinds: Object.fromEntries(kinds) }
}

async function generated(dice: Dice): Promise<Supplier[]> {
  const suppliers: Supplier[] = []
  const layouts = Object.entries(SETS['own'] ?? {}).flatMap(([name, all]) => {
    const layout = purchasesOf(all)
    return layout === null ? [] : [{ name, layout }]
  })
  for (let index = 0; index < Number(values.suppliers); index++) {
    const { name, layout } = layouts[index % layouts.length]!
    // Shifted by one each time around, so that it is not always the same layouts.
    const isOdd = (index + Math.floor(index / layouts.length)) % 3 === 1
    const documents: Lesson[] = []
    for (const { bytes, truth } of await drawSupplier(layout, dice, ROUNDS)) {
      const { pages } = await seePdf(new Uint8Array(bytes))
      documents.push({ pages: isOdd ? withOddLabels(pages) : pages, fields: truth })
    }
    const booking = bookingOf(dice, documents[0]!.fields)
    suppliers.push({ id: `${index + 1}-${name}${isOdd ? '-odd' : ''}`, ownNif: OWN.nif, booking, documents })
  }
  return suppliers
}

async function ofCorpus(folder: string, dice: Dice): Promise<Supplier[]> {
  const corpus = readCorpus(folder)
  const suppliers: Supplier[] = []
  for (const { id, files, fields } of corpus.documents) {
    const [file] = [files['text'] ?? []].flat()
    const isForeign = fields.currency !== 'EUR' || fields.supplierNif === null
    if (file === undefined || fields.docType === 'credit' || isForeign) continue
    const { pages } = await seePdf(new Uint8Array(readFileSync(join(folder, file))))
    const documents: Lesson[] = [{ pages, fields }]
    for (let turn = 1; turn < ROUNDS; turn++) {
      const later = laterPages(pages, fields, {
        number: nextNumber(fields.number ?? '', dice),
        days: turn * 7,
      })
      if (later) documents.push(later)
    }
    if (documents.length < ROUNDS) continue
    suppliers.push({ id, ownNif: corpus.ownNif, booking: bookingOf(dice, fields), documents })
  }
  return suppliers
}

const dice = new Dice(Number(values.seed))
print('Generated', measure(await generated(dice)))
const [folder] = positionals
if (folder !== undefined) print('Corpus', measure(await ofCorpus(folder, dice)))
