/** The list of what is shipped and not ours, from the build: a package that creeps into a bundle shows in the review. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const NOTICES = resolve(import.meta.dirname, '../../out/renderer/notices.txt')

export function generate(): Record<string, string> {
  const [, contents = ''] = readFileSync(NOTICES, 'utf8').split('\n\n')
  const rows = contents.split('\n').map((line) => {
    const [, name, version, licence] = /^(\S+) (\S+) \((.+)\)$/.exec(line) ?? []
    return `| \`${name}\` | ${version} | ${licence} |`
  })
  return {
    'docs/third-party.md': `# What is shipped and not ours

These packages are bundled into Sello or lie beside the bundle. Their licences, word for word, are in \`out/renderer/notices.txt\`,
which the app serves as \`/notices.txt\` and the menu opens; those of Electron and Chromium lie beside the program.

| Package | Version | Licence |
| --- | --- | --- |
${rows.join('\n')}
`,
  }
}
