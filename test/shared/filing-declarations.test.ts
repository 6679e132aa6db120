/** The worked filers through our builders of pages: the same boxes and choices give the same bytes. Needs SELLO_SHARED. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Filer } from '../../server/accounting/returns/declaration/choices.ts'
import { faultsOfClosing } from '../../server/accounting/returns/declaration/closing.ts'
import type { ReturnKind } from '../../server/accounting/returns/declaration/kinds.ts'
import { faultsOfBoxes, faultsOfRates, pagesOf } from '../../server/accounting/returns/declaration/pages.ts'
import { encodeFile } from '../../server/accounting/returns/files/file.ts'
import { NO_SCHEMES } from '../support/schemes.ts'

const shared = process.env['SELLO_SHARED']
const folder = join(shared ?? '', 'filing', 'examples')

const MODELS = ['303', '130', '111'] as const

interface Form {
  period: string
  kind: ReturnKind
  iban?: string
  boxes: Record<string, number>
}

interface Worked extends Partial<Record<`f${(typeof MODELS)[number]}`, Form>> {
  year: number
  nif: string
  name: string
  surnames: string
  first?: string
  aux: { version: string; nif: string }
}

describe.skipIf(!shared)('the worked filers', () => {
  const worked = (shared ? readdirSync(folder) : []).flatMap((example) => {
    const input = JSON.parse(readFileSync(join(folder, example, 'input.json'), 'utf8')) as Worked
    return MODELS.flatMap((model) => {
      const form = input[`f${model}`]
      return form ? [{ example, model, input, form }] : []
    })
  })

  test('have seven returns in pages', () => expect(worked).toHaveLength(7))

  test.each(worked)(
    '$example: model $model is written byte by byte',
    async ({ example, model, input, form }) => {
      const { period, kind, iban, boxes } = form
      const filer: Filer = {
        nif: input.nif,
        kind: input.first === undefined ? 'legal' : 'natural',
        name: input.name,
        surnames: input.surnames,
        firstName: input.first ?? '',
        contactName: input.name,
        contactPhone: null,
        cashAccounting: false,
      }
      expect(await faultsOfClosing(model, input.year, boxes)).toEqual([])
      expect(await faultsOfBoxes(model, input.year, boxes)).toEqual([])
      if (model === '303') expect(await faultsOfRates(input.year, boxes, {})).toEqual([])
      const records = await pagesOf({
        model,
        year: input.year,
        period,
        isLastOfYear: false,
        boxes,
        kind,
        choices: { nature: 'first', ...(iban === undefined ? {} : { iban }) },
        filer,
        schemes: NO_SCHEMES,
      })
      const bytes = await encodeFile({ model, year: input.year, period, software: input.aux, records })
      const theirs = readFileSync(join(folder, example, `${model}-${input.year}-${period}.txt`))
      // As text first, so that a difference can be read.
      expect(Buffer.from(bytes).toString('latin1')).toBe(theirs.toString('latin1'))
      expect(Buffer.from(bytes).equals(theirs)).toBe(true)
    },
  )
})
