/** Draws a corpus of invented documents with their truth: `node bench/intake/generate.ts FOLDER [--seed N] [--count N]`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Dice, factsOf, OWN, truthOf } from './sample-facts.ts'
import type { SampleWish } from './sample-facts.ts'
import { drawSample, FORMS, LAYOUTS } from './sample-pages.ts'
import type { TruthDocument } from './truth.ts'

/** Kinds with the layouts that have a place for all that they state. */
const KINDS: readonly (readonly [kind: string, wish: SampleWish, layouts: readonly string[]])[] = [
  ['goods', { rates: [2100] }, ['boxes', 'catalan', 'english', 'galician', 'basque']],
  ['two-rates', { rates: [2100, 1000] }, ['boxes', 'catalan', 'english', 'galician', 'basque']],
  ['professional', { rates: [2100], person: true, withheldBp: 1500 }, ['letter', 'catalan']],
  ['disbursements', { rates: [2100], person: true, withheldBp: 700, isSupplied: true }, ['letter']],
  ['surcharge', { rates: [2100, 1000, 400], hasSurcharge: true, items: 5 }, ['boxes', 'catalan']],
  ['credit', { rates: [2100], isCredit: true }, ['boxes', 'catalan', 'english']],
  ['prepaid', { rates: [2100], isPrepaid: true }, ['catalan']],
  ['ticket', { rates: [2100, 1000] }, ['ticket']],
]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, count: { type: 'string' } },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name a folder for the corpus.')
mkdirSync(folder, { recursive: true })
const seed = Number(values.seed ?? 29)
const dice = new Dice(seed)
const documents: TruthDocument[] = []
for (let index = 0; index < Number(values.count ?? 80); index++) {
  const [kind, wish, layouts] = dice.of(KINDS)
  const name = dice.of(layouts)
  const layout = LAYOUTS[name]
  if (layout === undefined) throw new Error(`No layout ${name}.`)
  const facts = factsOf(dice, wish)
  // A ticket is paid at once.
  if (name === 'ticket') Object.assign(facts, { dueDate: null, iban: null, payment: 'card' })
  const forms =
    name === 'english'
      ? ['english']
      : name === 'ticket'
        ? ['plain', 'spanish']
        : ['spanish', 'euro', 'plain', 'blank', 'bracket']
  const form = dice.of(forms)
  const id = `${String(index + 1).padStart(3, '0')}-${kind}-${name}-${form}`
  writeFileSync(join(folder, `${id}.pdf`), await drawSample(layout, facts, FORMS[form] ?? String))
  documents.push({ id, kind, layout: name, files: { text: `${id}.pdf` }, fields: truthOf(facts) })
}
writeFileSync(
  join(folder, 'truth.json'),
  JSON.stringify({ set: 'generated', seed, ownNif: OWN.nif, documents }, null, 1),
)
