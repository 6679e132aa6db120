/** The list of shipped third-party packages, from the build: an unintended package in a bundle shows in the review. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const NOTICES = resolve(import.meta.dirname, '../../out/renderer/notices.txt')

/** Short obligations of each licence for redistribution; its own text is decisive. */
const ASKS: Readonly<Record<string, string>> = {
  '0BSD': 'nothing',
  'Apache-2.0': 'include its text and any NOTICE file; mark changed files; it grants patents',
  'BSD-2-Clause': 'include its text and the copyright line',
  'BSD-3-Clause': 'include its text and the copyright line; do not use names for advertising',
  'BlueOak-1.0.0': 'include its text or a link to it',
  ISC: 'include its text and the copyright line',
  'LGPL-3.0':
    'ship the library as files that can be replaced; include its text and that of the GPL; say where its source is',
  MIT: 'include its text and the copyright line',
  'MIT-0': 'nothing',
  'OFL-1.1': 'include its text; do not sell the font by itself, and rename a changed one',
  'Python-2.0': 'include its text and the copyright line; summarise changes',
  Zlib: 'nothing for compiled code; mark changed sources',
}

/** The licence that Sello chooses where several are offered. */
const CHOSEN: Readonly<Record<string, string>> = {
  '(BSD-3-Clause OR GPL-2.0)': 'BSD-3-Clause',
  '(MIT AND Zlib)': 'MIT AND Zlib',
  '(MIT OR EUPL-1.1+)': 'MIT',
}

/** Returns a row per licence. Throws for one that has not been reviewed, such as another copyleft one. */
function askedRows(licences: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const licence of licences)
    for (const one of (CHOSEN[licence] ?? licence).split(' AND ')) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, count]) => {
      const asks = ASKS[licence]
      if (asks === undefined)
        throw new Error(
          `The obligations of ${licence} have not been reviewed: build/generated/third-party.ts`,
        )
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
    'docs/third-party.md': `# Third-party packages

These packages are bundled into Sello or shipped beside the bundle. The full text of their licences is in \`out/renderer/notices.txt\`,
which the app serves as \`/notices.txt\` and the menu opens; those of Electron and Chromium are beside the program.

## Obligations of their licences

Sello's own licence is not decided ([README](../README.md#licence)). Redistribution of Sello must meet these obligations:

| Licence | Packages | Obligation |
| --- | --- | --- |
${askedRows(licences).join('\n')}

One is copyleft: \`libheif-js\` (with libde265, LGPL-3.0), which decodes HEIC. It is not part of the bundle: the program loads \`data/libheif.cjs\` and \`data/libheif.wasm\`, which anybody may replace by files of the same interface; \`data/libheif.LICENSE.txt\` is beside them, and the source of each version is at <https://github.com/catdad-experiments/libheif-js>. HEIC uses H.265, which is patented in some countries: whoever distributes Sello there has to ask a lawyer. The weights of the OCR (\`@tesseract.js-data/*\`) are Tesseract's, under Apache-2.0.

\`node-forge\` is available under BSD-3-Clause or GPL-2.0: Sello uses BSD-3-Clause. \`@zone-eu/mailsplit\` is available under MIT or EUPL-1.1: Sello uses MIT. The build of this page fails for a package whose licence is not in this table.

## The packages

| Package | Version | Licence |
| --- | --- | --- |
${rows.join('\n')}
`,
  }
}
