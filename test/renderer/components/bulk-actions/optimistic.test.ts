/** Optimistic updates of a list, and how they are reverted. */
import { expect, test } from 'vitest'
import { showOptimistically, whenAnswered } from '../../../../renderer/components/bulk-actions/optimistic.ts'

interface Row {
  id: string
  paid: boolean
}

/** A list of two rows that behaves like a grid. */
function list() {
  let rows: Row[] = [
    { id: 'a', paid: false },
    { id: 'b', paid: false },
  ]
  const change = (next: Row[]) => {
    const before = rows
    rows = next
    return () => void (rows = before)
  }
  return {
    told: () => rows.map(({ id, paid }) => `${id}${paid ? ' paid' : ''}`),
    patch: (key: string, changes: Partial<Row>) =>
      change(rows.map((row) => (row.id === key ? { ...row, ...changes } : row))),
    leave: (keys: readonly string[]) => change(rows.filter(({ id }) => !keys.includes(id))),
  }
}

test('rows change and disappear before the answer, and stay so after a success', async () => {
  const grid = list()
  const shown = new Map([['a', { paid: true }]])
  let meanwhile: string[] = []
  const keep = async () => {
    meanwhile = grid.told()
    return 'kept'
  }
  expect(await showOptimistically(grid, { gone: ['b'], shown, keep })).toBe('kept')
  expect(meanwhile).toEqual(['a paid'])
  expect(grid.told()).toEqual(['a paid'])
})

test('after an error all rows are restored, and the reason is passed on', async () => {
  const grid = list()
  const shown = new Map([
    ['a', { paid: true }],
    ['b', { paid: true }],
  ])
  const keep = () => Promise.reject(new Error('no'))
  await expect(showOptimistically(grid, { gone: ['b'], shown, keep })).rejects.toThrow('no')
  expect(grid.told()).toEqual(['a', 'b'])
})

test('without a list only the request is sent', async () => {
  expect(await showOptimistically(null, { gone: ['a'], keep: async () => 1 })).toBe(1)
})

test('an undo waits for the changes shown and not answered yet', async () => {
  expect(whenAnswered()).toBeNull()
  let answer: (value: string) => void = () => {}
  const kept = showOptimistically(null, { keep: () => new Promise<string>((resolve) => (answer = resolve)) })
  const waited = whenAnswered()
  expect(waited).not.toBeNull()
  answer('kept')
  await waited
  expect(await kept).toBe('kept')
  expect(whenAnswered()).toBeNull()
  const refused = showOptimistically(null, { keep: () => Promise.reject(new Error('no')) })
  await expect(refused).rejects.toThrow('no')
  expect(whenAnswered()).toBeNull()
})
