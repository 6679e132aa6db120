/**
 * Two companies in one database of PostgreSQL, the other one with all kinds of records, and calls of every operation
 * for the first with the identifiers of the other.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { officeOperations } from '../../../server/api/office.ts'
import { runOperation } from '../../../server/api/run.ts'
import { EVENT_STREAM } from '../../../server/domain/contract/define-contract.ts'
import { createCtx } from '../../../server/context.ts'
import type { Book, Operation } from '../../../server/context.ts'
import { PERSON } from '../../../server/api/http/index.ts'
import { exampleOf, Furnished, ROUTES } from '../examples/index.ts'
import { Drawer } from '../fuzz/drawn.ts'
import type { Schema } from '../fuzz/drawn.ts'
import { watchStatements } from '../postgres/statements.ts'
import type { Statement } from '../postgres/statements.ts'
import type { TestDatabase } from '../postgres/databases.ts'
import { dice } from '../seeded-random.ts'
import { sweptCount } from '../sweep.ts'
import { openWorld } from '../world.ts'
import type { World } from '../world.ts'

/** Rows of the other company have higher numbers than anything else in the database. */
const THEIR_ROWS = 7_000_000_000_000
const MOST_ROWS = 10_000_000
const IDENTIFIER = /[a-z]{3,4}_[0-9a-hjkmnp-tv-z]{16}/g
const SEED = 20_261_128
/** Draws of an input for each kind of identifier. */
const DRAWS = sweptCount(3, 1)
/** Longest time for an answer: some operations wait for work in the background. */
const ANSWER_MS = 3_000

const isTheirRow = (value: unknown): boolean =>
  typeof value === 'number' && value >= THEIR_ROWS && value < THEIR_ROWS + MOST_ROWS

/** True for the operations that are called. */
type Stands = (name: string) => boolean

interface Call {
  name: string
  operation: Operation
  input: object
}

/** What a run of all calls has shown. */
export interface Figures {
  operations: number
  calls: number
  /** Calls that were answered, and not refused. */
  answered: number
  statements: number
  /** Rows of the other company that the driver returned, and the statements that saw some. */
  rows: number
  seenBy: Set<string>
  /** Operations whose answer or error contains something of the other company. */
  leaks: Set<string>
  /** Operations of a company with statements for the whole installation, and the text of one. */
  unlimited: Map<string, string>
  /** Operations that failed by a bug of the server. */
  broken: Map<string, string>
}

async function identifiersIn(database: TestDatabase, companyId: number): Promise<string[]> {
  const { rows: tables } = await database.admin.query<{ name: string }>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'public_id'
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ('companies', 'actors') order by relname`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await database.admin.query<{ id: string }>(
      `select public_id as id from ${name} where company_id = $1 order by public_id`,
      [companyId],
    )
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

/** Sets what the identities of all tables give next; returns what they would have given. */
async function continueAt(
  { admin }: TestDatabase,
  next: (name: string) => number,
): Promise<Map<string, number>> {
  const { rows } = await admin.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
  )
  for (const { name } of rows) await admin.query('select setval($1::regclass, $2, false)', [name, next(name)])
  return new Map(rows.map(({ name, last }) => [name, Number(last ?? 0) + 1]))
}

/** Reads an answer of bytes, as text; of a stream the beginning, which of an endless one is its first piece. */
async function textOf(answer: unknown, isEndless: boolean): Promise<string> {
  const { bytes, stream } = (answer ?? {}) as { bytes?: Uint8Array; stream?: AsyncIterable<Uint8Array> }
  if (bytes instanceof Uint8Array) return Buffer.from(bytes).toString('latin1')
  if (stream === undefined) return JSON.stringify(answer) ?? ''
  const pieces: string[] = []
  for await (const piece of stream) {
    pieces.push(Buffer.from(piece).toString('latin1'))
    if (isEndless || pieces.length > 20) break
  }
  return pieces.join('')
}

/** Waits for an answer; undefined if it takes too long. */
const inTime = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, pause(ANSWER_MS, undefined, { ref: false })])

/** Sends the conditions on the book or company of the first company as those of the other. */
const redirected =
  (own: Book, other: Book) =>
  ({ text, values }: Statement): Pick<Statement, 'text' | 'values'> => {
    // The lock and the scope are what the second wall goes by.
    if (/set_config|for no key update/.test(text)) return { text, values }
    const changed = [...values]
    const conditions = [
      ...text.matchAll(/"?\b(?:company_id)"? = \$(\d+)/g),
      ...(text.includes('"companies"') ? text.matchAll(/"id" = \$(\d+)/g) : []),
    ]
    for (const [, place = ''] of conditions)
      if (changed[Number(place) - 1] === own.companyId) changed[Number(place) - 1] = other.companyId
    return { text, values: changed }
  }

export class TwoCompanies {
  readonly own: World
  readonly other: World
  /** All public identifiers of the other company. */
  private readonly theirs: ReadonlySet<string>
  private readonly calls: readonly Call[]
  /** Tables in which the other company has rows. */
  readonly tables: readonly string[]

  private constructor(
    own: World,
    other: World,
    theirs: ReadonlySet<string>,
    calls: readonly Call[],
    tables: string[],
  ) {
    this.own = own
    this.other = other
    this.theirs = theirs
    this.calls = calls
    this.tables = tables
  }

  /** Prepares both companies. `stands`: the operations that are called. */
  static async open(stands: Stands): Promise<TwoCompanies> {
    const own = await openWorld()
    const database = databaseOf(own)
    await own.createDraft()
    // The server reads the lock of the window once, at the first call or after some seconds.
    await own.call('company.current')
    const before = await continueAt(database, () => THEIR_ROWS)
    const other = await openWorld({
      beside: own,
      company: { nif: 'B87654323', legalName: 'Conservas Vecinas, S.L.' },
    })
    const furnished = await new Furnished(other).open(3)
    own.setTime(other.env.now())
    const examples = new Map<string, object>()
    const routes = ROUTES.filter(({ name }) => stands(name))
    for (const { name } of routes) {
      const { params, query, body } = await exampleOf(name, furnished)
      examples.set(name, { ...query, ...body, ...params })
    }
    const found = await identifiersIn(database, other.books.test.companyId)
    const calls = await callsOf(examples, Map.groupBy(found, kindOf), stands)
    const tables = await tablesWith(database, other.books.test.companyId)
    await continueAt(database, (name) => before.get(name) ?? 1)
    // Work in the background finds its company by a table for all of them.
    for (const world of [own, other]) await world.sleep()
    const theirs = new Set(found)
    return new TwoCompanies(own, other, theirs, calls, tables)
  }

  get database(): TestDatabase {
    return databaseOf(this.own)
  }

  /** Takes the second wall away. */
  async dropPolicies(): Promise<void> {
    this.database.spoiled = true
    const { admin } = this.database
    const { rows } = await admin.query<{ name: string }>(
      'select relname as name from pg_class where relrowsecurity order by relname',
    )
    // One at a time: together they would cross with readers.
    for (const { name } of rows) await admin.query(`alter table ${name} disable row level security`)
  }

  /**
   * Calls every operation for the first company. `firstWall`: with its own book; otherwise every condition on a book
   * or a company is one on the other's.
   */
  async run({ firstWall }: { firstWall: boolean }): Promise<Figures> {
    const [own, other] = [this.own.books.test, this.other.books.test]
    const figures: Figures = {
      operations: new Set(this.calls.map(({ name }) => name)).size,
      calls: this.calls.length,
      answered: 0,
      statements: 0,
      rows: 0,
      seenBy: new Set(),
      leaks: new Set(),
      unlimited: new Map(),
      broken: new Map(),
    }
    // What a caller names may come back: in its own history, or in the answer that refuses it.
    const named = [this.calls.map(({ input }) => input), Object.values(this.other.books)]
    const given = new Set(JSON.stringify(named).match(IDENTIFIER))
    let current: Call | undefined
    const isTheirs = (text: string): boolean =>
      (text.match(IDENTIFIER) ?? []).some((id) => this.theirs.has(id) && !given.has(id)) ||
      text.includes('Conservas Vecinas')
    const isOfOther = (value: unknown): boolean =>
      typeof value === 'string' ? isTheirs(value) : isTheirRow(value)
    const unwatch = watchStatements(this.database.pools, {
      ...(firstWall ? {} : { rewrite: redirected(own, other) }),
      onAnswer: (statement, rows) => {
        figures.statements += 1
        const seen = rows.filter((row) => Object.values(row).some(isOfOther)).length
        if (seen > 0) figures.seenBy.add(`${current?.name ?? ''}: ${statement.text}`)
        figures.rows += seen
        if (statement.scope === 'installation' && current) figures.unlimited.set(current.name, statement.text)
      },
    })
    try {
      for (current of this.calls) {
        const { name, operation, input } = current
        const book = firstWall ? own : { ...other, companyId: own.companyId }
        const { env } = this.own
        const ctx = createCtx({ env, book, actor: PERSON, channel: 'ui', requestId: env.newId('req') })
        let text = ''
        try {
          const isEndless = operation.contract.media === EVENT_STREAM
          const answer = runOperation(operation, ctx, structuredClone(input))
          text = (await inTime(answer.then((data) => textOf(data, isEndless)))) ?? ''
          figures.answered += 1
        } catch (error) {
          const { code, details, faults, message } = error as Record<string, unknown>
          text = JSON.stringify({ code, details, faults, message })
          if (typeof code !== 'string' || !/^[a-z_]+$/.test(code)) figures.broken.set(name, String(error))
        }
        if (isTheirs(text)) figures.leaks.add(name)
      }
    } finally {
      unwatch()
    }
    return figures
  }
}

function databaseOf({ database }: World): TestDatabase {
  if (!database) throw new Error('Two companies are in one database of PostgreSQL.')
  return database
}

async function tablesWith({ admin }: TestDatabase, companyId: number): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'company_id'
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  )
  const some: string[] = []
  for (const { name } of rows) {
    const { rowCount } = await admin.query(`select from ${name} where company_id = $1 limit 1`, [companyId])
    if (rowCount === 1) some.push(name)
  }
  return some
}

const kindOf = (id: string): string => id.split('_')[0] ?? ''

/** Learns which kinds of identifiers the members of an input take. */
function learnKinds(value: unknown, name: string, kinds: Map<string, Set<string>>): void {
  if (typeof value === 'string') {
    for (const id of value.match(IDENTIFIER) ?? []) {
      const known = kinds.get(name) ?? new Set()
      kinds.set(name, known.add(kindOf(id)))
    }
  } else if (typeof value === 'object' && value !== null)
    for (const [member, inner] of Object.entries(value))
      learnKinds(inner, Array.isArray(value) ? name : member, kinds)
}

/** Returns the calls: the other company's own examples, and drawn inputs with its identifiers of each kind. */
async function callsOf(
  examples: ReadonlyMap<string, object>,
  found: ReadonlyMap<string, readonly string[]>,
  stands: Stands,
): Promise<Call[]> {
  const random = dice(SEED)
  const calls: Call[] = []
  const ofMember = new Map<string, Set<string>>()
  const ofSlice = new Map<string, Set<string>>()
  const sliceOf = (name: string): string => name.split('.')[0] ?? ''
  for (const [name, { id, ...others }] of examples as ReadonlyMap<string, { id?: unknown }>) {
    learnKinds(others, '', ofMember)
    learnKinds(id, sliceOf(name), ofSlice)
  }
  const entries = officeOperations.filter(({ facts }) => !facts.bookless && stands(facts.name))
  for (const { facts, load } of entries) {
    const { name } = facts
    const operation = await load()
    const example = examples.get(name)
    if (example) {
      calls.push({ name, operation, input: example })
      continue
    }
    const schema = z.toJSONSchema(operation.contract.input, { io: 'input', unrepresentable: 'any' }) as Schema
    const takesIds = /"\w*[iI]ds?":/.test(JSON.stringify(schema))
    const kinds = takesIds ? (ofSlice.get(sliceOf(name)) ?? found.keys()) : ['']
    for (const kind of kinds) {
      const drawer = new Drawer({
        random,
        resolve: (reference) => schema.$defs[reference.slice('#/$defs/'.length)] as Schema,
        known: (member) =>
          /(?:^i|I)ds?$/.test(member)
            ? [...(ofMember.get(member) ?? [kind])].flatMap((each) => found.get(each) ?? [])
            : [],
        admits: ({ type, format }) => type === 'string' && format === undefined,
      })
      for (let draw = 0; draw < DRAWS; draw += 1)
        calls.push({ name, operation, input: drawer.draw(schema) as object })
    }
  }
  return calls
}
