/**
 * Draws a corpus of invented documents with their truth: `node bench/intake/generate.ts FOLDER [--set own|held|first] [--seed N]
 * [--count N] [--variants text,scan300,scan200,photo,hard]`. Layouts take turns; all else is drawn from the seed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Dice } from './corpus/dice.ts'
import { OWN } from './corpus/facts.ts'
import { drawDocument } from './corpus/document.ts'
import { SETS } from './corpus/layouts/index.ts'
import { PictureMaker, VARIANTS } from './corpus/pictures/variants.ts'
import type { TruthDocument } from './truth.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', default: 'own' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    variants: { type: 'string', default: 'text' },
  },
})
const [folder] = positionals
const layouts = SETS[values.set]
if (folder === undefined || layouts === undefined) throw new Error('Name a folder and a set of layouts.')
const wanted =
  values.variants === 'all' ? VARIANTS : VARIANTS.filter((each) => values.variants.split(',').includes(each))
mkdirSync(folder, { recursive: true })
const seed = Number(values.seed)
const dice = new Dice(seed)
const names = Object.keys(layouts)
const documents: TruthDocument[] = []
for (let index = 0; index < Number(values.count); index++) {
  const name = names[index % names.length] ?? ''
  const layout = layouts[name]
  if (layout === undefined) throw new Error(`No layout ${name}.`)
  const { kind, form, bytes, truth } = await drawDocument(layout, dice)
  const id = `${String(index + 1).padStart(3, '0')}-${kind}-${name}-${form}`
  writeFileSync(join(folder, `${id}.pdf`), bytes)
  const files: Record<string, string[]> = { text: [`${id}.pdf`] }
  const maker = new PictureMaker(bytes, layout.roll !== undefined)
  for (const [at, variant] of VARIANTS.entries()) {
    if (variant === 'text' || !wanted.includes(variant)) continue
    // Each picture has dice of its own, so that one variant can be drawn without the others.
    const pictures = await maker.picturesOf(variant, new Dice(seed * 100_003 + index * 10 + at))
    files[variant] = pictures.map(({ ending, bytes: picture }) => {
      writeFileSync(join(folder, `${id}${ending}`), picture)
      return `${id}${ending}`
    })
  }
  documents.push({ id, kind, layout: name, files, fields: truth })
}
writeFileSync(
  join(folder, 'truth.json'),
  JSON.stringify({ set: values.set, seed, ownNif: OWN.nif, ownName: OWN.name, documents }, null, 1),
)
