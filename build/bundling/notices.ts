/** Vite plugin: writes the licences of all shipped third-party code into `notices.txt` next to the page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { OCR_LANGUAGES } from '../../server/purchases/intake/ocr/languages.ts'

interface ShippedPackage {
  name: string
  version: string
  licence: string
  /** Text of its licence and notice files; if it has none, the licence named in its manifest. */
  text: string
}

/** Shipped packages that are not modules of a bundle: icons, fonts, styles, a whole script. */
const NOT_MODULES = [
  '@expo-google-fonts/source-sans-3',
  '@fontsource-variable/inter',
  '@iconify-json/lucide',
  // The documentation's interactive reference, in one file.
  '@scalar/api-reference',
  // Weights of the OCR, read as data.
  ...OCR_LANGUAGES.map((language) => `@tesseract.js-data/${language}`),
  // Beside the bundle as files of its own.
  'libheif-js',
  'tailwindcss',
]
/** Licences of compiled libraries within packages, which stand in folders of theirs. */
const INNER_LICENCES: Readonly<Record<string, string>> = {
  '@jsquash/jpeg': 'codec/LICENSE.codec.md',
  '@jsquash/png': 'codec/LICENSE.codec.md',
  '@jsquash/webp': 'codec/LICENSE.codec.md',
  'libheif-js': 'libheif-wasm/LICENSE',
}
/** Weights of Tesseract: the packages state their own licence, not that of the weights. */
const WEIGHTS = /^@tesseract\.js-data\//
const WEIGHTS_TEXT = `The weights are those of tessdata_best of Tesseract OCR (https://github.com/tesseract-ocr/tessdata_best), converted to integers, under the Apache License, Version 2.0; its text is printed with tesseract.js-core in this list. The package around them states MIT.`
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|ofl)/i
/** Licence texts for packages that name their licence without including its text. */
const WORDS: Readonly<Record<string, string>> = {
  'Apache-2.0': `Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0; it is also printed with @aws-sdk/client-s3 in this list.

Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the specific language governing permissions and limitations under the License.`,
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
}
const HEADING = '='.repeat(100)

interface Manifest {
  name: string
  version: string
  license?: string | { type?: string }
  licenses?: { type?: string }[]
  author?: string | { name?: string }
  homepage?: string
  repository?: string | { url?: string }
  dependencies?: Record<string, string>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Returns the folder of a module's package, or null for a module of this project. */
export function packageFolder(id: string): string | null {
  const path = id.replace(/^\0/, '').replaceAll('\\', '/')
  const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/@?]+)\//.exec(path)
  return found?.[1] && existsSync(join(found[1], 'package.json')) ? found[1] : null
}

/** Returns the folders of packages that are shipped whole: those in `dependencies`, and their own dependencies. */
export function runtimeFolders(root: string): string[] {
  const folders = new Set<string>()
  const visit = (from: string, name: string): void => {
    const search = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
    const folder = search
      .map((path) => join(path, name))
      .find((path) => existsSync(join(path, 'package.json')))
    if (!folder) throw new Error(`${name} is needed at run time and is not installed.`)
    if (folders.has(folder)) return
    folders.add(folder)
    for (const needed of Object.keys(manifestOf(folder).dependencies ?? {})) visit(folder, needed)
  }
  for (const name of Object.keys(manifestOf(root).dependencies ?? {})) visit(root, name)
  return [...folders]
}

export function describePackage(folder: string): ShippedPackage {
  const manifest = manifestOf(folder)
  const stated = manifest.license ?? manifest.licenses?.[0]
  let licence = typeof stated === 'object' ? stated.type : stated
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && LICENCE_FILE.test(entry.name),
  )
  const { author, homepage, repository } = manifest
  const by = typeof author === 'object' ? author.name : author
  const from = homepage ?? (typeof repository === 'object' ? repository.url : repository)
  const inner = INNER_LICENCES[manifest.name]
  const words = [...files.map(({ name }) => name), ...(inner === undefined ? [] : [inner])]
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n')
  // Old packages name their licence only in its text.
  licence ??= words.includes('Permission is hereby granted, free of charge') ? 'MIT' : 'not stated'
  if (WEIGHTS.test(manifest.name)) {
    const text = `${WEIGHTS_TEXT}\n\n${WORDS['MIT']}`
    return { name: manifest.name, version: manifest.version, licence: 'MIT AND Apache-2.0', text }
  }
  const text =
    words ||
    `The package brings no text of its licence. It says of itself: ${[licence, by, from].filter(Boolean).join(', ')}.\n\n${WORDS[licence] ?? ''}`.trim()
  return { name: manifest.name, version: manifest.version, licence, text }
}

/** Returns the file: a table of contents, then one chapter per package. */
export function noticesText(packages: readonly ShippedPackage[]): string {
  const contents = packages.map(({ name, version, licence }) => `${name} ${version} (${licence})`)
  const chapters = packages.map(
    ({ name, version, licence, text }) =>
      `${HEADING}\n${name} ${version} (${licence})\n${HEADING}\n\n${text}\n`,
  )
  return `Sello is shipped with work of others. The licences of Electron and Chromium lie beside the program, in\nLICENSE.electron.txt and LICENSES.chromium.html.\n\n${contents.join('\n')}\n\n${chapters.join('\n')}`
}

/** Returns the packages of those folders, each version once, sorted by name. */
export function shippedPackages(folders: Iterable<string>): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>()
  for (const folder of folders) {
    const one = describePackage(folder)
    found.set(`${one.name} ${one.version}`, one)
  }
  return [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/**
 * Creates one plugin for each of the three builds with a shared list of packages. The page is built last; the file is
 * written to its folder, so that it has an address, `/notices.txt`, in the window and in the browser.
 */
export function notices(root: string): { watch: () => Plugin; write: () => Plugin } {
  const folders = new Set<string>()
  const note = (bundle: Readonly<Record<string, { type: string; moduleIds?: string[] }>>): void => {
    for (const file of Object.values(bundle))
      for (const id of file.moduleIds ?? []) {
        const folder = packageFolder(id)
        if (folder) folders.add(folder)
      }
  }
  return {
    watch: () => ({
      name: 'sello:notices-watch',
      apply: 'build',
      generateBundle(_options, bundle) {
        note(bundle)
      },
    }),
    write: () => ({
      name: 'sello:notices',
      apply: 'build',
      generateBundle(_options, bundle) {
        note(bundle)
        const all = [
          ...folders,
          ...runtimeFolders(root),
          ...NOT_MODULES.map((name) => join(root, 'node_modules', name)),
        ]
        this.emitFile({ type: 'asset', fileName: 'notices.txt', source: noticesText(shippedPackages(all)) })
      },
    }),
  }
}
