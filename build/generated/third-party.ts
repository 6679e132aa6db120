/** The list of shipped third-party packages, from the build: an unintended package in a bundle shows in the review. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const NOTICES = resolve(import.meta.dirname, '../../out/renderer/notices.txt')

/** Short obligations of each licence for redistribution; its own text is decisive. */
const ASKS: Readonly<Record<string, string>> = {
  '0BSD': 'nothing',
  'Apache-2.0': 'its text and any NOTICE file go along; changed files say so; it grants patents',
  'BSD-2-Clause': 'its text and the copyright line go along',
  'BSD-3-Clause': 'its text and the copyright line go along; names are not used to advertise',
  'BlueOak-1.0.0': 'its text or a link to it goes along',
  ISC: 'its text and the copyright line go along',
  MIT: 'its text and the copyright line go along',
  'MIT-0': 'nothing',
  'OFL-1.1': 'its text goes along; the font is not sold by itself, and a changed one takes another name',
  'Python-2.0': 'its text and the copyright line go along; changes are summed up',
}

/** The licence that Sello chooses where several are offered. */
const CHOSEN: Readonly<Record<string, string>> = { '(BSD-3-Clause OR GPL-2.0)': 'BSD-3-Clause' }

/** Returns a row per licence. Throws for one that has not been reviewed, such as a copyleft one. */
function askedRows(licences: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const licence of licences)
    for (const one of (CHOSEN[licence] ?? licence).split(' AND ')) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, count]) => {
      const asks = ASKS[licence]
      if (asks === undefined)
        throw new Error(`Nobody has said yet what ${licence} asks: build/generated/third-party.ts`)
      return `| ${licence} | ${count} | ${asks} |`
    })
}

export function generate(): Record<string, string> {
  const [, contents = ''] = readFileSync(NOTICES, 'utf8').split('\n\n')
  const licences: string[] = []
  const rows = contents.split('\n').map((line) => {
    const [, name, version, licence = ''] = /^(\S+) (\S+) \((.+)\)$/.exec(line) ?? []
    licences.push(licence)
    return `| \`${name}\` | ${version} | ${licence} |`
  })
  return {
    'docs/third-party.md': `# What is shipped and not ours

These packages are bundled into Sello or lie beside the bundle. Their licences, word for word, are in \`out/renderer/notices.txt\`,
which the app serves as \`/notices.txt\` and the menu opens; those of Electron and Chromium lie beside the program.

## What their licences ask for

Sello's own licence is not decided ([README](../README.md#licence)). Whoever passes Sello on keeps what these ask for:

| Licence | Packages | It asks that |
| --- | --- | --- |
${askedRows(licences).join('\n')}

None of them is copyleft. \`node-forge\` may be taken under BSD-3-Clause or GPL-2.0: Sello takes BSD-3-Clause. A package whose licence is not in this table stops the build of this page.

## The packages

| Package | Version | Licence |
| --- | --- | --- |
${rows.join('\n')}
`,
  }
}
