/** What a transfer must know of the schema: a change of it that nobody has thought of fails here. */
import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { SETTINGS, isDecided } from '../../../../../server/app/office/transfer/settings.ts'
import { INSERT_TRIGGERS, stepsOf } from '../../../../../server/app/company-copy/order.ts'
import {
  JSON_WITH_IDS,
  JSON_WITHOUT_IDS,
  LOOSE,
  NOT_COPIED,
  PLAIN,
  PLAIN_ENDINGS,
} from '../../../../../server/app/company-rows/references.ts'
import { belongsTo, shapeOfBuild, tablesOf } from '../../../../../server/app/company-rows/shape.ts'
import { tablesOf as tablesThere } from '../../../../support/engines.ts'
import { ENGINE } from '../../../../support/postgres/databases.ts'
import { openTestStore } from '../../../../support/store.ts'

const shape = shapeOfBuild()
const listed = (columns: Readonly<Record<string, string>>): string[] =>
  Object.entries(columns).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`))

test('each whole number is an id, a reference, or declared as a plain number', () => {
  const numbers = shape.tables.flatMap(({ name: table, columns, hasIds }) =>
    columns
      .filter(
        ({ name, storage, refersTo }) =>
          storage === 'integer' && refersTo === null && !(hasIds && name === 'id'),
      )
      .filter(({ name }) => !PLAIN_ENDINGS.test(name))
      .map(({ name }) => `${table}.${name}`),
  )
  expect(numbers.toSorted()).toEqual([...listed(PLAIN), ...Object.keys(LOOSE)].toSorted())
  // No column with such an ending is a reference by its name.
  expect(Object.keys(LOOSE).filter((name) => PLAIN_ENDINGS.test(name))).toEqual([])
})

test('each JSON text is declared, with ids inside or without', () => {
  const texts = tablesOf(shape).flatMap(({ name: table, columns }) =>
    columns.filter(({ isJson }) => isJson).map(({ name }) => `${table}.${name}`),
  )
  expect(texts.toSorted()).toEqual([...listed(JSON_WITHOUT_IDS), ...JSON_WITH_IDS].toSorted())
})

test('loose references lead to tables with ids, and each trigger of an insert is provided for', () => {
  const targets = Object.values(LOOSE).flatMap(({ to }) =>
    typeof to === 'string' ? [to] : Object.values(to.tables),
  )
  for (const target of targets) expect(shape.byName.get(target)?.hasIds, target).toBe(true)
  expect(shape.insertTriggers).toEqual(Object.keys(INSERT_TRIGGERS).toSorted())
})

test('every table has a place in the order, after what its rows refer to, and a company', () => {
  const steps = stepsOf(shape).flatMap((step) => (step.do === 'insert' ? [step.table.name] : []))
  expect(steps.toSorted()).toEqual(tablesOf(shape).map(({ name }) => name))
  for (const table of tablesOf(shape)) {
    expect(belongsTo(shape, table, 1, 'sqlite')).toContain('1')
    for (const { refersTo } of table.columns)
      if (refersTo !== null && refersTo !== table.name && steps.includes(refersTo))
        expect(steps.indexOf(refersTo), `${table.name} → ${refersTo}`).toBeLessThan(steps.indexOf(table.name))
  }
})

test('every table of a store is known, and every setting is decided about', async () => {
  const { env } = await openTestStore()
  const unknown = (await tablesThere(env.store.reader)).filter((name) => !shape.byName.has(name))
  expect(unknown.filter((name) => !(name in NOT_COPIED))).toEqual([])
  for (const name of ['views/boo_1/invoices', 'limits', 'sandbox']) expect(isDecided(name), name).toBe(true)
  expect(isDecided('new_setting')).toBe(false)
  expect(Object.keys(SETTINGS)).toEqual([
    'views/',
    ...Object.keys(SETTINGS)
      .filter((name) => name !== 'views/')
      .toSorted(),
  ])
  if (ENGINE !== 'pg') return
  // What only an office has in these tables is not copied either: a transfer writes it itself.
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name <> 'company_id'`.execute(env.store.reader)
  const known = new Set(
    shape.tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  )
  const more = rows
    .map(({ name }) => name)
    .filter((name) => shape.byName.has(name.split('.')[0] ?? '') && !known.has(name))
  expect(more.toSorted()).toEqual([
    'books.entry_base',
    'books.event_base',
    'books.moved',
    'companies.arrived_digest',
    'companies.away',
    'companies.away_at',
    'companies.away_to',
    'invoice_instalments.open_cents',
    'invoices.due_cents',
  ])
})
