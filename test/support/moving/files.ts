/** Files of a move in a test. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import type { TestBooks } from '../books.ts'

type Move = OutputOf<'moving.get'>['move']
type MovingFile = Move['files'][number]

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64')

/** Adds a file; returns it as it was read. */
export async function addFile(
  world: TestBooks,
  id: string,
  name: string,
  bytes: Uint8Array | string,
  more: Omit<InputOf<'moving.addFile'>, 'id' | 'name' | 'content'> = {},
): Promise<MovingFile> {
  const { move } = await world.run('moving.addFile', { id, name, content: base64(bytes), ...more })
  const file = move.files.find((each) => each.name === name)
  if (!file) throw new Error(`${name} is not in the move.`)
  return file
}

/** Begins a move with the unified books of a year of other books. */
export async function addBooks(
  from: TestBooks,
  to: TestBooks,
  options: { firstDay: string; year: number; format: 'xlsx' | 'csv'; answers?: Record<string, string> },
): Promise<{ id: string; file: MovingFile }> {
  const { year, format, firstDay, answers } = options
  const { bytes } = await from.run('fiscal.vatBooks', { year, quarter: 4, format })
  const { move } = await to.run('moving.start', { firstDay })
  const name = format === 'xlsx' ? 'libros.xlsx' : 'libros.zip'
  const file = await addFile(to, move.id, name, bytes, answers ? { answers } : {})
  return { id: move.id, file }
}
