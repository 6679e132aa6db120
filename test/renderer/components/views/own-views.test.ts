/** Own views of a list: which one is shown, and the result of saving and moving them. */
import { expect, test } from 'vitest'
import {
  isSameQuery,
  movedView,
  MOST_VIEWS,
  querySummary,
  withView,
} from '../../../../renderer/components/views/own-views.ts'
import type { OwnView } from '../../../../renderer/components/views/own-views.ts'
import { MOST_VIEWS as KEPT } from '../../../../server/app/session/views-contract.ts'

const views: OwnView[] = [
  { id: 'view_1', name: 'Una', query: { q: 'luz' } },
  { id: 'view_2', name: 'Dos', query: { view: 'owed' } },
  { id: 'view_3', name: 'Tres', query: {} },
]
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)

test('the page offers as many views as the server stores', () => {
  expect(MOST_VIEWS).toBe(KEPT)
})

test('an address is the same in any order of its parameters, and unknown parameters are left out', () => {
  expect(isSameQuery({ view: 'owed', q: 'luz' }, { q: 'luz', view: 'owed' })).toBe(true)
  expect(isSameQuery({ q: 'luz' }, { q: 'Luz' })).toBe(false)
  expect(
    querySummary({ q: '', from: ['a'], 'x y': '1', to: null, view: 'owed', long: 'x'.repeat(101) }),
  ).toEqual({
    view: 'owed',
  })
})

test('a new view is appended; one of an existing name gets the new filter and keeps its position', () => {
  expect(names(withView(views, 'Cuatro', { q: 'x' }))).toEqual(['Una', 'Dos', 'Tres', 'Cuatro'])
  const changed = withView(views, 'dos', { q: 'x' })
  expect(names(changed)).toEqual(['Una', 'Dos', 'Tres'])
  expect(changed[1]).toEqual({ id: 'view_2', name: 'Dos', query: { q: 'x' } })
})

test('a view moves one position, and stays at the ends', () => {
  expect(names(movedView(views, 'view_2', -1))).toEqual(['Dos', 'Una', 'Tres'])
  expect(names(movedView(views, 'view_1', -1))).toEqual(['Una', 'Dos', 'Tres'])
  expect(names(movedView(views, 'view_3', 1))).toEqual(['Una', 'Dos', 'Tres'])
})
