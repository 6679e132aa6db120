/** The lint rule that keeps SQL understood by both engines. */
import { Linter } from 'eslint'
import type { Rule } from 'eslint'
import { describe, expect, test } from 'vitest'

// Oxlint loads the rule as JavaScript, which has no types.
const { portableSql } = (await import(
  new URL('../../build/lint/portable-sql.mjs', import.meta.url).href
)) as {
  portableSql: Rule.RuleModule
}

function faults(sql: string): string[] {
  const linter = new Linter()
  return linter
    .verify(`const q = sql\`${sql}\``, [
      {
        plugins: { house: { rules: { 'portable-sql': portableSql } } },
        rules: { 'house/portable-sql': 'error' },
      },
    ])
    .map(({ message }) => message)
}

describe('SQL of one engine is reported with the helper to use', () => {
  test.each([
    ['select 1 from json_each(tags)', 'elementsOf'],
    ["select record ->> 'id' from t", 'jsonText'],
    ["select json_extract(record, '$.id') from t", 'jsonText'],
    ["select 1 from t where instr(a, 'b') > 0", 'contains'],
    ['select sum(max(cents, 0)) from t', 'largest'],
    ['select min(coalesce(a, 0), b) from t', 'largest'],
    ['select 1 from t indexed by t_by_day', 'indexedBy'],
    ['select 1 from t where +day = 1', 'unindexed'],
    ['savepoint part', 'withSavepoint'],
    ['select name from sqlite_master', 'columnsOf'],
    ["select iif(a = 1, 'x', 'y') from t", 'case'],
    ["select julianday('now') from t", 'days'],
    ["select 1 from t where a glob 'x*'", 'both'],
    ['insert or ignore into t values (1)', 'on conflict'],
    ['select sum(a = b) from t', 'filter'],
    ['select 1 from t where 1', '1 = 1'],
    ["select 1 from t where a is 'S'", 'distinct'],
    ['select a as isOwed from t', 'double quotes'],
  ])('%s', (sql, instead) => {
    const [fault, ...more] = faults(sql)
    expect([fault?.includes(instead), more]).toEqual([true, []])
  })
})

test('SQL of both engines is not reported', () => {
  expect(
    [
      'select max(a), min(b), a + b, a - 1 from t where a is null and b is not null order by a',
      "select sum(case when a = 'x' then cents else 0 end) as total from t where day between 1 and 12",
      'select count(*) filter (where a = b) as equal, a as "isOwed" from t where 1 = 1',
      'insert into t (a) values (1) on conflict do nothing',
    ].flatMap(faults),
  ).toEqual([])
})
