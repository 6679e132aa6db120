/** Writes the copyright file: Sello's own terms, and the licences of everything in the package. Pure. */

const RULE = '='.repeat(100)

/**
 * Returns the file. `notices` is the text that the build writes about bundled packages; `runtime` the licence of Node,
 * which contains those of its libraries; `natives` the licences of what the native modules link, by package.
 */
export function copyrightText(parts: {
  author: string
  homepage: string
  year: number
  notices: string
  runtime: { version: string; licence: string }
  natives: readonly { name: string; licence: string }[]
}): string {
  const { author, homepage, year, notices, runtime, natives } = parts
  // The first paragraph of the notices describes the desktop app, which contains Electron.
  const bundled = notices.slice(notices.indexOf('\n\n') + 2)
  if (bundled.length < 1_000 || runtime.licence.length < 1_000)
    throw new Error('The licences of the shipped packages are missing.')
  const chapter = (title: string, text: string): string => `${RULE}\n${title}\n${RULE}\n\n${text.trim()}\n`
  return `Sello, invoicing for small businesses in Spain
Source: ${homepage}

Copyright ${year} ${author}

The licence of Sello is not decided yet: until its owner decides, no licence is given to use, change or
redistribute it.

The package contains work of others under their own licences, whose texts follow: the runtime Node.js
${runtime.version} (/usr/lib/sello/bin/node) with its libraries, the native modules, and the packages bundled into
/usr/lib/sello/out or installed in /usr/lib/sello/node_modules. Texts that several of them share, such as the Apache
License 2.0, are also in /usr/share/common-licenses.

${chapter(`Node.js ${runtime.version} and its libraries`, runtime.licence)}
${natives.map(({ name, licence }) => `${chapter(`Libraries in ${name}`, licence)}\n`).join('')}${RULE}
Bundled and installed packages
${RULE}

${bundled.trim()}
`
}
