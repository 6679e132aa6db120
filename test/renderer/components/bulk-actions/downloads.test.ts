/** Downloads: shown if they take long, stopped, and repeated after a failure. */
import { beforeEach, expect, test } from 'vitest'
import { CallError } from '../../../../renderer/call.ts'
import {
  downloads,
  forgetDownload,
  startDownload,
} from '../../../../renderer/components/bulk-actions/downloads.ts'

const file = new File(['x'], 'contactos.csv')

beforeEach(() => downloads.splice(0))

test('a file is saved under its name, in the book of its request, and its line is removed', async () => {
  const saved: string[] = []
  const name = await startDownload(
    'Contactos',
    'book_1',
    async ({ bookId, onBytes }) => {
      expect(bookId).toBe('book_1')
      onBytes(7)
      expect(downloads).toMatchObject([{ what: 'Contactos', state: 'running', bytes: 7 }])
      return file
    },
    ({ name: saving }) => void saved.push(saving),
  )
  expect([name, saved, downloads.length]).toEqual(['contactos.csv', ['contactos.csv'], 0])
})

test('a stopped download saves nothing and reports no failure', async () => {
  const saved: File[] = []
  const name = startDownload(
    'Contactos',
    'book_1',
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    (each) => void saved.push(each),
  )
  downloads[0]?.stop()
  expect([await name, saved, downloads.length]).toEqual([null, [], 0])
})

test('a failure stays until it is read, or is retried', async () => {
  const saved: string[] = []
  let tries = 0
  const name = await startDownload(
    'Contactos',
    'book_1',
    async () => {
      if (++tries === 1) throw new CallError({ code: 'offline', message: 'no' })
      return file
    },
    (each) => void saved.push(each.name),
  )
  expect(name).toBeNull()
  expect(downloads).toMatchObject([{ state: 'failed', told: true, error: { code: 'offline' } }])
  downloads[0]?.again()
  await expect.poll(() => saved).toEqual(['contactos.csv'])
  expect(downloads).toHaveLength(0)
  forgetDownload({} as never)
})
