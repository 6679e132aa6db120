/** What the wizard of a move shows at each state: its steps, proposals, counts and questions. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'
import type { BusinessDate } from '../../../server/domain/dates.ts'

export type Move = OutputOf<'moving.get'>['move']
export type MovingFile = Move['files'][number]
export type MovingTable = MovingFile['tables'][number]
export type MovingQuestion = MovingFile['questions'][number]
export type MovingRow = OutputOf<'moving.rows'>['rows'][number]
export type Proof = OutputOf<'moving.proof'>
export type ProofReturn = Proof['returns'][number]
export type ProofBox = ProofReturn['boxes'][number]
export type AttachAnswer = OutputOf<'moving.attach'>

export const STEPS = ['files', 'take', 'proof', 'documents', 'done'] as const
export type Step = (typeof STEPS)[number]

/** The steps that a state allows; the first is shown by default. */
const ALLOWED: Record<Move['state'], readonly Step[]> = {
  draft: ['files', 'take'],
  applying: ['take'],
  applied: ['proof', 'documents'],
  done: ['done', 'documents', 'proof'],
  undoing: ['take'],
  undone: ['done'],
}

/** Returns the step to show: the wanted one, if the state of the move allows it. */
export function stepOf(move: Move | null, wanted: string | undefined): Step {
  const allowed = ALLOWED[move?.state ?? 'draft']
  const found = allowed.find((step) => step === wanted) ?? allowed[0] ?? 'files'
  return move === null ? 'files' : found
}

const firstOfMonth = (day: BusinessDate, months: number): BusinessDate => {
  const at = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, 1))
  return at.toISOString().slice(0, 10)
}

interface FirstDay {
  kind: 'quarter' | 'year' | 'month'
  day: BusinessDate
}

/** Returns the first days that fit, the proposed one first: of this quarter, of this year, of the next month. */
export function proposedFirstDays(today: BusinessDate): FirstDay[] {
  const month = Number(today.slice(5, 7))
  const quarter = firstOfMonth(today, -((month - 1) % 3))
  const year = `${today.slice(0, 4)}-01-01`
  const proposed: FirstDay[] = [{ kind: 'quarter', day: quarter }]
  if (year !== quarter) proposed.push({ kind: 'year', day: year })
  proposed.push({ kind: 'month', day: firstOfMonth(today, 1) })
  return proposed
}

interface LateDocuments {
  count: number
  /** The first day with which all of them are history. */
  from: BusinessDate
}

/** Returns how many documents are of months from the first day on; a month that it divides is not counted. */
export function lateDocuments({ files, firstDay }: Pick<Move, 'files' | 'firstDay'>): LateDocuments | null {
  const late = files
    .flatMap(({ sums }) => sums)
    .filter(({ month }) => `${month}-01` >= firstDay && month >= firstDay.slice(0, 7))
  const last = late
    .map(({ month }) => month)
    .sort()
    .at(-1)
  if (last === undefined) return null
  const count = late.reduce((sum, { documents }) => sum + documents, 0)
  return { count, from: firstOfMonth(`${last}-01`, 1) }
}

/** Kinds of what is taken in, as the summary lists them. */
const TAKEN = [
  'issued',
  'received',
  'contacts',
  'items',
  'receivable',
  'payable',
  'bank_balances',
  'trial_balance',
  'books_goods',
] as const
type Taken = (typeof TAKEN)[number]

const takenAs = (content: MovingTable['content']): Taken | null => {
  if (content === 'books_issued') return 'issued'
  if (content === 'books_received') return 'received'
  return TAKEN.find((each) => each === content) ?? null
}

/** Returns what is going to be made, by kind; kinds without anything are left out. */
export function takenKinds(files: readonly MovingFile[]): { kind: Taken; count: number }[] {
  const counts = new Map<Taken, number>()
  for (const { tables, state } of files) {
    if (state !== 'read') continue
    for (const { content, isRead, documents } of tables) {
      const kind = takenAs(content)
      if (kind !== null && isRead && documents > 0) counts.set(kind, (counts.get(kind) ?? 0) + documents)
    }
  }
  return TAKEN.flatMap((kind) => {
    const count = counts.get(kind)
    return count === undefined ? [] : [{ kind, count }]
  })
}

const sumOf = (files: readonly MovingFile[], of: (file: MovingFile) => number): number =>
  files.reduce((sum, file) => sum + of(file), 0)

/** Documents with an error, which stay out. */
export const failedOf = ({ files }: Pick<Move, 'files'>): number => sumOf(files, ({ failed }) => failed)

/** What waits to be taken in. */
export const waitingOf = ({ files }: Pick<Move, 'files'>): number => sumOf(files, ({ waiting }) => waiting)

/** Questions that go on with their guess. */
export const guessesOf = ({ files }: Pick<Move, 'files'>): number =>
  sumOf(files, ({ questions }) => questions.filter(({ answer }) => answer === null).length)

/** Returns whether a table is the file of a return, which proves and brings nothing else. */
const isReturn = ({ content, isRead }: MovingTable): boolean =>
  isRead && (content === 'return_file' || content === 'pdf')

/** Why the files cannot be taken in yet; null once they can. */
export function blockedBy(move: Move | null, isSending: boolean): 'none' | 'reading' | 'interrupted' | null {
  if (isSending) return 'reading'
  if (move?.files.some(({ state }) => state === 'reading')) return 'interrupted'
  const has = move && (waitingOf(move) > 0 || move.files.some(({ tables }) => tables.some(isReturn)))
  return has ? null : 'none'
}

/** How far the taking in has come, of all that waited. */
export function doneOf(move: Pick<Move, 'files' | 'documents'>): number {
  return Math.max(0, move.documents - waitingOf(move))
}

/** A document that is attached to an invoice, or an archive of them, among the files of a move. */
export const holdsDocuments = ({ archived, tables }: MovingFile): boolean =>
  archived > 0 || tables.some(({ content, isRead }) => content === 'pdf' && !isRead)

export interface FileQuestion {
  fileId: string
  fileName: string
  question: MovingQuestion
}

/** Number of a person: professionals and landlords from whom tax is withheld are mostly persons. */
const isPerson = ({ question }: FileQuestion): boolean => /^[\dKLMXYZ]\d{7}[A-Z]$/.test(question.about)

/** Returns the questions of all files by their codes, in their order; of what was withheld, persons first. */
export function questionGroups(files: readonly MovingFile[]): { code: string; asked: FileQuestion[] }[] {
  const asked = files.flatMap(({ id, name, questions }) =>
    questions.map((question) => ({ fileId: id, fileName: name, question })),
  )
  return [...Map.groupBy(asked, ({ question }) => question.code)].map(([code, list]) => ({
    code,
    asked: code === 'question_withheld' ? list.toSorted((a, b) => +isPerson(b) - +isPerson(a)) : list,
  }))
}

/** Key of the choice of an answer: two of them are signs, which no key of a text may be. */
export function choiceKey(choice: string): string {
  return { '-': 'hyphen', '/': 'slash', '': 'joined', ' ': 'space' }[choice] ?? choice
}

/** Returns the mapping with the meaning of one column changed: a column has one meaning, and a field one column. */
export function remapped(
  mapping: Readonly<Record<string, number>>,
  column: number,
  field: string,
): Record<string, number> {
  const next = Object.fromEntries(
    Object.entries(mapping).filter(([name, index]) => index !== column && name !== field),
  )
  if (field !== '') next[field] = column
  return next
}

export const nameOf = ({ model, year, period }: ProofReturn): string => `${model} ${year} ${period}`

/** Returns whether a return needs no further word, with those that the person is going to leave unchecked. */
export function isSaid(each: ProofReturn, left: ReadonlySet<string>): boolean {
  const { status, isComplete } = each
  if (status === 'agrees' || status === 'explained' || status === 'left_open') return true
  if (status === 'differs') return false
  return left.has(nameOf(each)) || (status === 'open' && !isComplete)
}

/** Returns of which the person says, or has said, that they stay unchecked: never shown as proven. */
export const isLeft = (each: ProofReturn, left: ReadonlySet<string>): boolean =>
  each.status === 'left_open' ||
  (left.has(nameOf(each)) && (each.status === 'open' || each.status === 'incomplete'))

/** The box with the result, or the sum that a return declares. */
export const keyBoxOf = ({ boxes, keyBox }: ProofReturn): ProofBox | null =>
  boxes.find(({ box }) => box === keyBox) ?? null
