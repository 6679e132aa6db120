/** Code splitting of the page: few files for everything that the window needs before it shows anything. */
import { dirname, resolve } from 'node:path'
import { reachedFrom } from './cut.ts'
import type { Cut } from './cut.ts'

interface WindowParts {
  /** The script of the page. */
  entry: string
  /** The page that is opened first. */
  front: readonly string[]
  /** Scripts of other pages; code that they share with the window is split by its users. */
  apart: readonly string[]
}

const IMPORT = /\bimport\s*(?:\{([^}]*)\}\s*from\s*)?["']([^"']+)["'];?/g
const EXPORT = /\bexport\s*\{([^}]*)\};?/g
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm

/** Returns the names between the braces of an import or an export, each before and after `as`. */
const namesIn = (braces: string): (readonly [string, string])[] =>
  braces.split(',').flatMap((part) => {
    const [name, as = name] = part.trim().split(/\s+as\s+/)
    return name && as ? [[name, as] as const] : []
  })

/** Returns the modules behind the names of a package's index that only re-exports; null for any other module. */
function passedOn(id: string, code: string): ReadonlyMap<string, string> | null {
  const own = code.replace(COMMENT, '').replace(IMPORT, '').replace(EXPORT, '')
  if (!id.includes('/node_modules/') || own.trim() !== '') return null
  const found = new Map<string, string>()
  for (const [, braces = '', source = ''] of code.matchAll(IMPORT))
    for (const [, local] of namesIn(braces)) found.set(local, resolve(dirname(id), source))
  return new Map(
    [...code.matchAll(EXPORT)].flatMap(([, braces = '']) =>
      namesIn(braces).flatMap(([local, name]) => {
        const module = found.get(local)
        return module === undefined ? [] : [[name, module] as const]
      }),
    ),
  )
}

/**
 * By default the bundler creates a file for every set of modules used by the same pages: a hundred for the first
 * page, half of them smaller than 2 kB. Requesting, answering and linking a file costs more than most of its content.
 * Therefore all imports of `entry` form one file, and those that `front` adds and shares with other pages another;
 * modules used only by `front` get their own. Paths are absolute. Measured, packed: the first page needs 3 scripts of
 * 181 kB instead of 57 of 205 kB.
 */
export function windowChunks({ entry, front, apart }: WindowParts): Cut {
  let inWindow: ReadonlySet<string> = new Set()
  let inFront: ReadonlySet<string> = new Set()
  return {
    plugin: {
      name: 'sello:window-chunks',
      apply: 'build',
      buildEnd() {
        const codeOf = (id: string): string => this.getModuleInfo(id)?.code ?? ''
        const indexes = new Map<string, ReadonlyMap<string, string> | null>()
        const indexOf = (id: string): ReadonlyMap<string, string> | null => {
          if (!indexes.has(id)) indexes.set(id, passedOn(id, codeOf(id)))
          return indexes.get(id) ?? null
        }
        /**
         * Returns the imports of `id`; through a package's index only the named ones, as otherwise the whole package
         * would be included.
         */
        const importsOf = (id: string): string[] =>
          (this.getModuleInfo(id)?.importedIds ?? []).flatMap((next) => {
            const index = indexOf(next)
            const modules = [...codeOf(id).matchAll(IMPORT)].flatMap(([, braces = '', source = '']) =>
              index && next.includes(`/node_modules/${source}/`)
                ? namesIn(braces).flatMap(([name]) => index.get(name) ?? [])
                : [],
            )
            return modules.length > 0 ? modules : next
          })
        const reached = (from: readonly string[]): Set<string> => reachedFrom(from, importsOf)
        const elsewhere = reached(apart)
        const atStart = reached([entry])
        inWindow = new Set([...atStart].filter((id) => id !== entry && !elsewhere.has(id)))
        inFront = new Set(
          [...reached(front)].filter((id) => !front.includes(id) && !atStart.has(id) && !elsewhere.has(id)),
        )
      },
    },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'window', test: (id) => inWindow.has(id) },
        { name: 'front', test: (id) => inFront.has(id) },
      ],
    },
  }
}
