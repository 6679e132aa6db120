/** Our layouts of returns against the researched tables, and the worked files byte by byte. Needs SELLO_SHARED. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeFile, encodeFile } from '../../server/accounting/returns/files/file.ts'
import { FILE_MODELS, layoutsOf } from '../../server/accounting/returns/files/layout.ts'

const shared = process.env['SELLO_SHARED']
const folder = join(shared ?? '', 'filing')

interface Worked {
  year: number
  nif: string
  [part: string]: unknown
}

describe.skipIf(!shared)('files of returns', () => {
  test.each(FILE_MODELS)('every row of the table of model %s is a field of the layout', async (model) => {
    const [head = '', ...lines] = readFileSync(join(folder, 'layouts', `${model}.tsv`), 'utf8')
      .trim()
      .split('\n')
    const names = head.split('\t')
    const rows = lines.map((line) =>
      Object.fromEntries(line.split('\t').map((cell, at) => [names[at], cell])),
    )
    const layout = (await layoutsOf(model)).at(-1)
    const order = [...new Set(rows.map(({ record }) => record))]
    // An object has names that are numbers, as `10`, first.
    const inOrder = Object.entries(layout?.records ?? {}).toSorted(
      ([one], [other]) => order.indexOf(one) - order.indexOf(other),
    )
    const ours = inOrder.flatMap(([record, fields]) =>
      fields.map(({ key, at, length, is, box }) => ({
        record,
        at: String(at),
        length: String(length),
        is: is ?? null,
        box: box ?? (/^\d/.test(key) ? key.split('/')[0] : ''),
      })),
    )
    const theirs = rows
      .filter(({ record }) => record !== 'envelope')
      .map(({ record, pos, len, constant, content, box }) => ({
        record,
        at: pos,
        length: len,
        is: constant === '' ? (content === 'blanks' ? '' : content === '0' ? '0' : null) : constant,
        box,
      }))
    expect(ours.map((one) => ({ ...one, box: '' }))).toEqual(theirs.map((one) => ({ ...one, box: '' })))
    // A name stands for the box of what is no figure.
    expect(ours.filter(({ box }, at) => box !== '' && box !== theirs[at]?.box)).toEqual([])
  })

  const worked = readdirSync(join(folder, 'examples')).flatMap((example) =>
    readdirSync(join(folder, 'examples', example))
      .filter((file) => file.endsWith('.txt'))
      .map((file) => [example, file] as const),
  )

  test.each(worked)('the worked file %s/%s is read, and written byte by byte', async (example, name) => {
    const bytes = readFileSync(join(folder, 'examples', example, name))
    const input = JSON.parse(readFileSync(join(folder, 'examples', example, 'input.json'), 'utf8')) as Worked
    const file = await decodeFile(bytes)
    expect(file.year).toBe(input.year)
    expect(file.records[0]?.values).toMatchObject({ nif: input.nif, year: input.year })
    const { boxes } = (input[`f${file.model}`] ?? {}) as { boxes?: Record<string, number> }
    const read = Object.assign({}, ...file.records.map(({ values }) => values)) as Record<string, unknown>
    for (const [box, value] of Object.entries(boxes ?? {})) expect(read[box] ?? 0, box).toBe(value)
    expect(Buffer.from(await encodeFile(file)).equals(bytes)).toBe(true)
  })

  test('nine files are worked', () => expect(worked).toHaveLength(9))
})
