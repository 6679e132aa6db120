/** Undo stack: newest first, each once, never of another book, never alternating. */
import { beforeEach, expect, test } from 'vitest'
import { clearUndoables, pushUndoable, runUndo, popUndoable } from '../../../renderer/stores/undo.ts'

const done: string[] = []
const deed = (title: string, bookId = 'book_1') => ({ title, bookId, run: () => void done.push(title) })

beforeEach(() => {
  clearUndoables()
  done.length = 0
})

test('the latest action is undone first, and only once', async () => {
  pushUndoable(deed('first'))
  pushUndoable(deed('second'))
  await runUndo(popUndoable('book_1')!)
  await runUndo(popUndoable('book_1')!)
  expect(done).toEqual(['second', 'first'])
  expect(popUndoable('book_1')).toBeNull()
})

test('the button of a notice and the key undo once between them', async () => {
  const press = pushUndoable(deed('only'))
  press()
  expect(popUndoable('book_1')).toBeNull()
  press()
  expect(done).toEqual(['only'])
})

test('an action of another book stays on the stack', () => {
  pushUndoable(deed('elsewhere', 'book_2'))
  expect(popUndoable('book_1')).toBeNull()
  expect(popUndoable('book_2')?.title).toBe('elsewhere')
})

test('an undo is not undone by key, but by its own button', async () => {
  let redo = () => {}
  await runUndo({
    title: 'there',
    bookId: 'book_1',
    run: async () => {
      await Promise.resolve()
      redo = pushUndoable(deed('and back'))
    },
  })
  expect(popUndoable('book_1')).toBeNull()
  redo()
  expect(done).toEqual(['and back'])
})

test('the stack drops its oldest action', () => {
  for (let each = 1; each <= 31; each++) pushUndoable(deed(String(each)))
  const titles: (string | undefined)[] = []
  for (let next = popUndoable('book_1'); next; next = popUndoable('book_1')) titles.push(next.title)
  expect(titles).toHaveLength(30)
  expect(titles.at(-1)).toBe('2')
})
