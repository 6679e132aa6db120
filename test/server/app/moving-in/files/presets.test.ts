/** Exports of other programs, recognized by their titles and read: invented data with the documents they stand for. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PRESETS } from '../../../../../server/app/moving-in/files/presets/find.ts'
import { recognizeFile } from '../../../../../server/app/moving-in/files/read.ts'
import { readFileOf } from '../../../../support/files/history-files.ts'

const GOLDEN = join(import.meta.dirname, '../../../../golden/history')
const RECORD = process.env.SELLO_RECORD === '1'

describe('each preset', () => {
  test('has its golden file, and each golden file its preset', () => {
    const files = readdirSync(GOLDEN).filter((name) => name.endsWith('.csv'))
    expect(files.map((name) => name.replace('.csv', '')).sort()).toEqual(PRESETS.map(({ id }) => id).sort())
  })

  test.each(PRESETS.map(({ id }) => id))('%s', async (id) => {
    const preset = PRESETS.find((each) => each.id === id)!
    const bytes = readFileSync(join(GOLDEN, `${id}.csv`))
    const { tables } = await recognizeFile(bytes, 'export.csv')
    expect(tables).toMatchObject([
      {
        preset: id,
        program: preset.program,
        content: preset.side,
        layout: preset.sure,
        layoutSource: preset.source,
        sure: preset.sure === 'believed' ? 'likely' : 'certain',
        reason: { code: 'recognized_program', params: { program: preset.program } },
      },
    ])
    const { documents, faults, skipped, summary } = await readFileOf(bytes, {}, 'export.csv')
    const found = {
      documents,
      faults: faults.map(({ code, row, column, severity, params }) => ({
        code,
        severity,
        row,
        column,
        params,
      })),
      skipped,
      questions: summary.questions.map(({ code, about, guess }) => ({ code, about, guess })),
    }
    const expected = join(GOLDEN, `${id}.expected.json`)
    if (RECORD || !existsSync(expected)) writeFileSync(expected, `${JSON.stringify(found, null, 2)}\n`)
    expect(found).toEqual(JSON.parse(readFileSync(expected, 'utf8')))
  })

  test('says where its layout was found, and a believed one that it was found nowhere', () => {
    for (const { id, source, sure } of PRESETS) {
      expect(source.length, id).toBeGreaterThan(30)
      if (sure === 'believed')
        expect(source, id).toMatch(/found nowhere|without naming|does not name|assumed alike/)
    }
  })
})
