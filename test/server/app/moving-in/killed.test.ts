/** A program that is killed while it reads a file, and while it takes documents in, goes on where it stopped. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startChild } from '../../../support/children/run.ts'
import type { Child } from '../../../support/children/run.ts'
import { bigBook } from '../../../support/moving/big-book.ts'

const DOCUMENTS = 2_000

/** Returns the first line with a name, with all before it. */
async function until(
  child: Child,
  is: (line: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  for (;;) {
    const line = await child.line()
    if (is(line)) return line
  }
}

test('nothing is lost and nothing is there twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'libros.zip')
  writeFileSync(file, await bigBook(DOCUMENTS, 'csv'))
  const start = () => startChild('move', [join(folder, 'store'), file])

  const first = start()
  expect(await first.line()).toEqual({ begun: 'draft', file: null })
  await until(first, ({ reading }) => Number(reading ?? 0) > 0)
  await first.kill()

  const second = start()
  expect(await second.line()).toEqual({ begun: 'draft', file: 'reading' })
  expect(await second.line()).toEqual({ refused: 'moving_file_reading' })
  expect(await until(second, ({ read }) => read !== undefined)).toEqual({ read: DOCUMENTS })
  const { created } = await until(second, (line) => line.created !== undefined)
  expect(Number(created)).toBeGreaterThan(0)
  expect(Number(created)).toBeLessThan(DOCUMENTS)
  await second.kill()

  const third = start()
  expect(await third.line()).toEqual({ begun: 'applying', file: 'read' })
  // 150 euros each.
  expect(await until(third, ({ done }) => done !== undefined)).toMatchObject({
    done: DOCUMENTS,
    base: DOCUMENTS * 150,
  })
  await third.ended()
}, 240_000)
