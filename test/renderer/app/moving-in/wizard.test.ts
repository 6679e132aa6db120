/** What the wizard of a move shows: its steps, the first days it proposes, counts, questions and what is left unsaid. */
import { expect, test } from 'vitest'
import {
  blockedBy,
  doneOf,
  failedOf,
  guessesOf,
  isLeft,
  isSaid,
  lateDocuments,
  nameOf,
  proposedFirstDays,
  questionGroups,
  remapped,
  stepOf,
  takenKinds,
} from '../../../../renderer/app/moving-in/wizard.ts'
import type { Move, MovingFile, MovingTable, ProofReturn } from '../../../../renderer/app/moving-in/wizard.ts'

const table = (changes: Partial<MovingTable>): MovingTable => ({
  entry: null,
  sheet: null,
  content: 'books_issued',
  isChosen: false,
  isLeftOut: false,
  isRead: true,
  program: null,
  layout: null,
  layoutSource: null,
  sure: 'certain',
  reason: { code: 'recognized_titles', params: {} },
  headerRow: 1,
  columns: [],
  fields: [],
  mapping: {},
  dateOrder: 'dmy',
  decimalSign: ',',
  rows: 0,
  documents: 0,
  failed: 0,
  skipped: 0,
  ...changes,
})
const file = (changes: Partial<MovingFile>): MovingFile => ({
  id: 'mov_f',
  name: 'libros.xlsx',
  bytes: 10,
  state: 'read',
  progress: { table: 1, tables: 1, rowsRead: 0, rows: 0 },
  format: 'xlsx',
  encoding: null,
  delimiter: null,
  tables: [],
  archived: 0,
  questions: [],
  sums: [],
  faults: [],
  skippedRows: [],
  waiting: 0,
  failed: 0,
  created: 0,
  skipped: 0,
  ...changes,
})
const move = (changes: Partial<Move>): Move => ({
  id: 'mov_1',
  state: 'draft',
  firstDay: '2026-10-01',
  settings: { makesContacts: true, leavesOpen: false },
  files: [],
  documents: 0,
  created: 0,
  skipped: 0,
  removed: 0,
  createdAt: '2026-11-30T10:00:00+01:00',
  finishedAt: null,
  ...changes,
})
const sum = (month: string, documents: number): MovingFile['sums'][number] => ({
  side: 'issued',
  month,
  documents,
  base: 0,
  tax: 0,
  withheld: 0,
  total: 0,
})

test('the first days are those of this quarter, of this year and of the next month', () => {
  expect(proposedFirstDays('2026-11-30').map(({ kind, day }) => `${kind} ${day}`)).toEqual([
    'quarter 2026-10-01',
    'year 2026-01-01',
    'month 2026-12-01',
  ])
  // In the first quarter both are the same day; after December comes January.
  expect(proposedFirstDays('2026-02-28').map(({ day }) => day)).toEqual(['2026-01-01', '2026-03-01'])
  expect(proposedFirstDays('2026-12-31').map(({ day }) => day)).toEqual([
    '2026-10-01',
    '2026-01-01',
    '2027-01-01',
  ])
})

test('a step is shown if the state of the move allows it', () => {
  expect(stepOf(null, 'proof')).toBe('files')
  expect(stepOf(move({}), undefined)).toBe('files')
  expect(stepOf(move({}), 'take')).toBe('take')
  expect(stepOf(move({}), 'done')).toBe('files')
  expect(stepOf(move({ state: 'applying' }), 'files')).toBe('take')
  expect(stepOf(move({ state: 'applied' }), 'take')).toBe('proof')
  expect(stepOf(move({ state: 'applied' }), 'documents')).toBe('documents')
  expect(stepOf(move({ state: 'done' }), undefined)).toBe('done')
  expect(stepOf(move({ state: 'undone' }), 'proof')).toBe('done')
})

test('documents of months from the first day on are counted, and the day that brings all of them is named', () => {
  const files = [file({ sums: [sum('2026-09', 4), sum('2026-10', 3), sum('2026-11', 2)] })]
  expect(lateDocuments(move({ files }))).toEqual({ count: 5, from: '2026-12-01' })
  expect(lateDocuments(move({ files, firstDay: '2026-12-01' }))).toBeNull()
  // A month that the first day divides has documents of both: nobody knows how many.
  expect(lateDocuments(move({ files, firstDay: '2026-11-15' }))).toBeNull()
  expect(lateDocuments(move({ files: [file({ sums: [sum('2026-12', 1)] })] }))?.from).toBe('2027-01-01')
})

test('books and lists of the same side are one kind; what is not read counts nowhere', () => {
  const files = [
    file({
      tables: [
        table({ documents: 5 }),
        table({ content: 'received', documents: 2 }),
        table({ content: 'contacts', documents: 9, isRead: false, isLeftOut: true }),
      ],
    }),
    file({ tables: [table({ content: 'issued', documents: 3 })] }),
    file({ state: 'refused', tables: [table({ content: 'issued', documents: 3 })] }),
  ]
  expect(takenKinds(files)).toEqual([
    { kind: 'issued', count: 8 },
    { kind: 'received', count: 2 },
  ])
})

test('files are taken in once they are read and bring something', () => {
  const read = file({ waiting: 2 })
  expect(blockedBy(null, false)).toBe('none')
  expect(blockedBy(move({ files: [file({})] }), false)).toBe('none')
  expect(blockedBy(move({ files: [read] }), true)).toBe('reading')
  expect(blockedBy(move({ files: [read, file({ state: 'reading' })] }), false)).toBe('interrupted')
  expect(blockedBy(move({ files: [read, file({ state: 'refused' })] }), false)).toBeNull()
  // Returns alone prove what an earlier move brought.
  const filed = file({ tables: [table({ content: 'return_file' })] })
  expect(blockedBy(move({ files: [filed] }), false)).toBeNull()
  const unread = file({ tables: [table({ content: 'pdf', isRead: false })] })
  expect(blockedBy(move({ files: [unread] }), false)).toBe('none')
})

test('errors, guesses and progress are counted over all files', () => {
  const question = {
    id: 'question_orders',
    code: 'question_orders',
    about: '',
    name: null,
    guess: 'yes',
    answer: null,
    choices: ['yes', 'no'],
    depends: [],
    documents: 1,
    base: 0,
    first: { sheet: null, row: 1 },
  }
  const files = [
    file({ failed: 2, waiting: 30, questions: [question, { ...question, id: 'x', answer: 'no' }] }),
    file({ id: 'mov_g', failed: 1, waiting: 10, questions: [question] }),
  ]
  const one = move({ files, documents: 100 })
  expect([failedOf(one), guessesOf(one), doneOf(one)]).toEqual([3, 2, 60])
  expect(questionGroups(files).map(({ code, asked }) => [code, asked.length])).toEqual([
    ['question_orders', 3],
  ])
})

test('persons come first where it is asked from whom tax was withheld', () => {
  const about = (nif: string): MovingFile['questions'][number] => ({
    id: `question_withheld:${nif}`,
    code: 'question_withheld',
    about: nif,
    name: null,
    guess: 'none',
    answer: null,
    choices: ['none', 'rent_19'],
    depends: ['347'],
    documents: 1,
    base: 100,
    first: { sheet: null, row: 1 },
  })
  const files = [
    file({ questions: [about('A58818501'), about('12345678Z'), about('B12345674'), about('X1234567L')] }),
  ]
  expect(questionGroups(files)[0]?.asked.map((one) => one.question.about)).toEqual([
    '12345678Z',
    'X1234567L',
    'A58818501',
    'B12345674',
  ])
})

test('a column has one meaning, and a field one column', () => {
  expect(remapped({ number: 0, date: 1 }, 2, 'number')).toEqual({ date: 1, number: 2 })
  expect(remapped({ number: 0, date: 1 }, 1, 'base')).toEqual({ number: 0, base: 1 })
  expect(remapped({ number: 0, date: 1 }, 1, '')).toEqual({ number: 0 })
})

const filed = (status: ProofReturn['status'], isComplete = true): ProofReturn => ({
  model: '303',
  year: 2026,
  period: '3T',
  from: '2026-07-01',
  to: '2026-09-30',
  isComplete,
  applies: true,
  source: null,
  fileName: null,
  outcome: null,
  keyBox: '71',
  boxes: [],
  withoutProof: false,
  status,
})

test('a return needs a word until it agrees, is explained, or is left unchecked', () => {
  const nobody = new Set<string>()
  const left = new Set([nameOf(filed('open'))])
  expect((['agrees', 'explained', 'left_open'] as const).map((each) => isSaid(filed(each), nobody))).toEqual([
    true,
    true,
    true,
  ])
  expect((['differs', 'incomplete', 'open'] as const).map((each) => isSaid(filed(each), nobody))).toEqual([
    false,
    false,
    false,
  ])
  expect(isSaid(filed('open', false), nobody)).toBe(true)
  expect(isSaid(filed('open'), left)).toBe(true)
  expect(isLeft(filed('open'), left)).toBe(true)
  // A difference needs its reason; leaving it unchecked is no answer, and what agrees is not left.
  expect(isSaid(filed('differs'), left)).toBe(false)
  expect(isLeft(filed('differs'), left)).toBe(false)
  expect(isLeft(filed('agrees'), left)).toBe(false)
})
