/** Reads the imports of source files and finds those that violate the map. The tables at the top are the rules. */
import { posix } from 'node:path'
import ts from 'typescript'

/** Content by path from the repository's root, with `/`. */
export type Sources = Record<string, string>

interface Import {
  /** Path from the repository's root for a relative import; else the package's name as written. */
  target: string
  /** False if it is erased by the compiler (`import type`). */
  isValue: boolean
  /** Loaded on demand (`import()`). */
  isLate: boolean
}

/**
 * The rooms of server/, the lowest first: an import leads to the same room or a lower one, types included. `context`
 * is the one file beside the rooms.
 */
const ROOMS = [
  'domain',
  'db',
  'context',
  'platform',
  'tax',
  'company',
  'catalog',
  'registry',
  'sales',
  'purchases',
  'accounting',
  'documents',
  'integrations',
  'app',
  'api',
  'cli',
] as const
type Room = (typeof ROOMS)[number]

/** Rooms whose files any higher room may import directly; the others consist of slices, which have an entry file. */
const WITHOUT_DOORS: readonly string[] = ['domain', 'db', 'context', 'api', 'cli']

/** Files of build/ that the server may import: the producer's details, which ship with it. */
const BUILD_DATA: readonly string[] = ['build/producer.json']

/**
 * The engines of the store, each with the files and folders outside server/db that may import it; all others know
 * `db/store.ts` only. What is named under `late` may load the engine only when it is asked for.
 */
const ENGINES: Record<string, { known: readonly string[]; late: readonly string[] }> = {
  'server/db/embedded/': {
    known: [
      'server/registry/chain/rollback-guard.ts',
      'server/app/application.ts',
      'server/app/background-work.ts',
      'server/app/app-lock/',
      'server/app/assistants/',
      'server/app/backups/',
      'server/app/bundles/',
      'server/app/company-rows/',
      'server/app/integrity/',
      'server/app/leaving/',
      'server/app/maintenance/',
      'server/app/office/transfer/',
      'server/app/recovery-mode/',
      'server/app/session/',
      'server/api/recovery-mode/',
      'server/api/server-file.ts',
      'server/cli/',
    ],
    late: [],
  },
  'server/db/postgres/': {
    known: ['server/app/office/', 'server/app/people/directory/store.ts'],
    late: ['server/cli/'],
  },
}

/** The one list of the operations of all slices, and that of an office: nobody else imports them. */
const TABLE = 'server/api/slices.ts'
const OFFICE_TABLE = 'server/api/office.ts'

/** Files of the server that main/ may import. */
const MAIN_TAKES: readonly string[] = ['server/api/application.ts']

/**
 * Files of the server that the page shipped with inspection packs may import: the rules it verifies the books by, and
 * their format.
 */
const VERIFIER_TAKES: readonly string[] = [
  'server/platform/audit/hashed.ts',
  'server/app/inspection/format.ts',
  'server/registry/systems/verifactu/record/hashed.ts',
  'server/registry/systems/verifactu/record/sealed.ts',
]

/**
 * Length limit of a file, so that it is readable in one sitting. Tables of texts or rules may be longer, each with
 * its reason.
 */
const LINES_AT_MOST = 700
const LONG_FILES: Record<string, string> = {
  'server/domain/errors/messages/en.ts': 'the texts of the errors: one table of every code',
  'server/domain/errors/messages/es.ts': 'the texts of the errors: one table of every code',
  'server/db/postgres/schema/newest.ts': 'generated: the schema of an office',
  'server/db/postgres/schema/steps.ts': 'generated: the migrations of an office',
}

interface Place {
  /** A top folder, `verifier`, or `server`. */
  kind: string
  room?: Room
  /** The folder whose index.ts is the entry of this file; null for files outside any slice. */
  slice?: string | null
}

/** Returns every violation of the map, as sentences. */
export function faultsOf(sources: Sources): string[] {
  const imports = new Map(Object.entries(sources).map(([path, code]) => [path, importsOf(path, code)]))
  const faults: string[] = []
  for (const [path, wanted] of imports) {
    const from = placeOf(path, sources)
    if (!from) {
      faults.push(`${path} stands in no known room: put it in one, or add the room to the map`)
      continue
    }
    for (const each of wanted) {
      const reason = faultOf(path, from, each, sources, imports)
      if (reason) faults.push(`${path} imports ${each.target}: ${reason}`)
    }
  }
  return [...faults, ...circles(imports, sources)]
}

function faultOf(
  path: string,
  from: Place,
  { target, isValue, isLate }: Import,
  sources: Sources,
  imports: Map<string, readonly Import[]>,
): string | null {
  if (/^electron(\/|$)/.test(target)) {
    return from.kind === 'main' || from.kind === 'preload' ? null : 'only main/ and preload/ know Electron'
  }
  if (!isOurs(target)) {
    return from.kind === 'preload' && isValue ? 'a sandboxed preload can load no package' : null
  }
  if (isCode(target) && !(target in sources)) return 'there is no such file'
  const to = placeOf(target, sources)
  if (!to) return 'it stands in no known room'

  switch (from.kind) {
    case 'main':
      if (to.kind === 'main' || target === 'preload/contract.ts' || MAIN_TAKES.includes(target)) return null
      // It passes the command line on to the server, and runs no command itself.
      if (path === 'main/index.ts' && target === 'server/cli/main.ts' && isLate) return null
      return 'main/ sees the server through server/api/application.ts only'
    case 'preload':
      return to.kind === 'preload' ? null : 'the preload stands alone'
    case 'renderer':
      return rendererFault(target, to, isValue, imports)
    case 'verifier':
      if (to.kind === 'verifier' || !isValue || VERIFIER_TAKES.includes(target)) return null
      return 'the page that goes out with the books takes its rules from the server, nothing else'
    default:
      return serverFault(path, from, target, to) ?? engineFault(path, target, isLate)
  }
}

function rendererFault(
  target: string,
  to: Place,
  isValue: boolean,
  imports: Map<string, readonly Import[]>,
): string | null {
  if (to.kind === 'renderer') return null
  if (!isValue && target === 'preload/contract.ts') return null
  if (to.kind !== 'server') return 'the page takes from server/ and its own folder only'
  if (!isValue) {
    if (isContract(target) || to.room === 'domain' || target === 'server/api/contracts.ts') return null
    return isPure(target, imports) ? null : 'the page takes types of contracts and of pure files only'
  }
  return isPure(target, imports)
    ? null
    : 'the page takes values of pure files only: no schema, no system, no database'
}

function serverFault(path: string, from: Place, target: string, to: Place): string | null {
  if (to.kind === 'build') return BUILD_DATA.includes(target) ? null : 'the server runs without the build'
  if (to.kind !== 'server') return `the server does not know ${to.kind}/`
  if (ROOMS.indexOf(to.room!) > ROOMS.indexOf(from.room!))
    return `no arrow leads up from ${from.room} to ${to.room}`
  if (isOperations(target))
    return path === TABLE || path === OFFICE_TABLE ? null : `${TABLE} alone collects operations`
  if (isContract(path) && !['domain', 'api'].includes(to.room!) && !isContract(target))
    return to.slice === from.slice && !target.endsWith('/index.ts')
      ? null
      : 'a contract imports domain/ and other contracts only'
  if (WITHOUT_DOORS.includes(to.room!) || to.slice === null || to.slice === from.slice) return null
  return isDoor(target) ? null : `the inside of ${to.slice}: use its index.ts or contract.ts`
}

function engineFault(path: string, target: string, isLate: boolean): string | null {
  for (const [engine, { known, late }] of Object.entries(ENGINES)) {
    if (!target.startsWith(engine) || path.startsWith(engine)) continue
    const isNamed = (list: readonly string[]): boolean => list.some((one) => path.startsWith(one))
    if (isNamed(known) || (isLate && isNamed(late))) continue
    return `${engine} is known to ${[...known, ...late.map((one) => `${one} (on demand)`)].join(', ')} only`
  }
  return null
}

/** Returns null for a path in no known room. */
function placeOf(path: string, sources: Sources): Place | null {
  const [top, second = ''] = path.split('/')
  if (path.startsWith('renderer/verifier/')) return { kind: 'verifier' }
  if (top !== 'server') return ['main', 'preload', 'renderer', 'build'].includes(top!) ? { kind: top! } : null
  const room = (path === 'server/context.ts' ? 'context' : path.split('/').length > 2 ? second : '') as Room
  return ROOMS.includes(room) ? { kind: 'server', room, slice: sliceOf(path, sources) } : null
}

/**
 * The slice of a file: the nearest folder above it with both an index.ts and a contract.ts, else the folder below its room, or
 * the room itself, with an index.ts or operations.ts.
 */
function sliceOf(path: string, sources: Sources): string | null {
  const folders = path.split('/').slice(0, -1)
  for (let depth = folders.length; depth >= 2; depth--) {
    const folder = folders.slice(0, depth).join('/')
    if (`${folder}/index.ts` in sources && `${folder}/contract.ts` in sources) return folder
  }
  for (const depth of [2, 3]) {
    const folder = folders.slice(0, depth).join('/')
    if (folders.length < depth) continue
    if (`${folder}/index.ts` in sources || `${folder}/operations.ts` in sources) return folder
  }
  return null
}

const isOurs = (target: string): boolean =>
  /^(main|preload|renderer|server|build|test|bench|docs)\//.test(target)
const isCode = (target: string): boolean => /\.(ts|mts|mjs|vue)$/.test(target)
/** Returns whether the file is a contract: a slice may split it, such as `contract.ts` and `rectify-contract.ts`. */
const isContract = (path: string): boolean => /^server\/.+\/(?:[a-z]+-)?contract\.ts$/.test(path)
/** What a slice registers: `operations.ts`, or parts of it such as `rectify-operations.ts`. */
const isOperations = (path: string): boolean =>
  /^server\/(?!api\/operations\.ts)[^/]+\/(?:.+\/)?(?:[a-z]+-)?operations\.ts$/.test(path)
/**
 * Returns whether the file is an entry of a slice. `start.ts` and `port.ts` hold what the start of the program needs
 * without loading the whole slice.
 */
const isDoor = (path: string): boolean =>
  /^server\/.+\/((?:[a-z]+-)?contract|index|start|port)\.ts$/.test(path)

/** Returns true if neither the file nor its imports load a schema, the system or the database. */
function isPure(start: string, imports: Map<string, readonly Import[]>): boolean {
  const reached = new Set([start])
  for (const path of reached) {
    if (path.startsWith('server/db/') || path === 'server/context.ts') return false
    for (const { target, isValue } of imports.get(path) ?? []) {
      if (!isValue) continue
      if (!isOurs(target) && /^(zod|node:|kysely|better-sqlite3)/.test(target)) return false
      if (isOurs(target)) reached.add(target)
    }
  }
  return true
}

/** Returns the chain of files from a start to a package, over the counted imports, the start first; null if there is none. */
function wayTo(
  packages: RegExp,
  start: string,
  imports: Map<string, readonly Import[]>,
  counts: (each: Import) => boolean,
): string[] | null {
  const cameFrom = new Map<string, string | null>([[start, null]])
  for (const path of cameFrom.keys())
    for (const each of imports.get(path) ?? []) {
      if (!each.isValue || !counts(each)) continue
      if (packages.test(each.target)) {
        const way = [each.target]
        for (let at: string | null = path; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at)
        return way
      }
      if (!cameFrom.has(each.target)) cameFrom.set(each.target, path)
    }
  return null
}

/** Returns how the start of a program loads schemas, which it must not: they load with the first call that needs them. */
export function schemasAtStart(start: string, sources: Sources): string[] | null {
  const imports = new Map(Object.entries(sources).map(([path, code]) => [path, importsOf(path, code)]))
  return wayTo(/^zod(\/|$)/, start, imports, ({ isLate }) => !isLate)
}

/** What only an office loads. */
const OF_AN_OFFICE = /^(pg|pg-.+|prom-client|@aws-sdk\/.+)(\/|$)/

/**
 * Returns how the program of a desk loads a package that only an office needs; null if it does not. `late`: also by
 * what it loads on demand.
 */
export function wayToOffice(start: string, sources: Sources, late: boolean): string[] | null {
  const imports = new Map(Object.entries(sources).map(([path, code]) => [path, importsOf(path, code)]))
  return wayTo(OF_AN_OFFICE, start, imports, ({ isLate }) => late || !isLate)
}

/**
 * Returns import cycles between files of server/ by value, and between slices of one room by any import but a
 * contract's.
 */
function circles(imports: Map<string, readonly Import[]>, sources: Sources): string[] {
  const files = new Map<string, Set<string>>()
  const slices = new Map<string, Set<string>>()
  for (const [path, wanted] of imports) {
    if (!path.startsWith('server/')) continue
    const from = placeOf(path, sources)?.slice
    for (const { target, isValue } of wanted) {
      if (isValue && target.startsWith('server/')) link(files, path, target)
      const to = isOurs(target) ? placeOf(target, sources)?.slice : undefined
      if (from && to && from !== to && !isContract(target)) link(slices, from, to)
    }
  }
  return [...circlesIn(files), ...circlesIn(slices)]
}

function link(graph: Map<string, Set<string>>, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to))
}

function circlesIn(graph: Map<string, Set<string>>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const walk = (node: string, trail: string[]): void => {
    const seenAt = trail.indexOf(node)
    if (seenAt >= 0) {
      found.push(`a circle: ${[...trail.slice(seenAt), node].join(' -> ')}`)
      return
    }
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) walk(node, [])
  return found
}

/** The imports of each path as last read, with its code: several checks read the same files. */
const read = new Map<string, { code: string; imports: readonly Import[] }>()

/** Returns the imports, re-exports and `import('…')` of a TypeScript or Vue file. */
export function importsOf(path: string, code: string): readonly Import[] {
  const known = read.get(path)
  if (known?.code === code) return known.imports
  const imports = parsedImports(path, code)
  read.set(path, { code, imports })
  return imports
}

function parsedImports(path: string, code: string): Import[] {
  const script = path.endsWith('.vue')
    ? [...code.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]).join('\n')
    : code
  const file = ts.createSourceFile(path, script, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS)
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isValue: boolean, isLate = false): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    const written = specifier.text.split('?')[0]!
    const target = written.startsWith('.') ? posix.join(posix.dirname(path), written) : written
    found.push({ target, isValue, isLate })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsValue(node))
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, !node.isTypeOnly)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], true, true)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, false)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function importsValue({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (!clause) return true
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return false
  const named = clause.namedBindings
  if (clause.name || !named || !ts.isNamedImports(named)) return true
  return named.elements.some((element) => !element.isTypeOnly)
}

/** Returns a fault unless the file begins with a comment that is a sentence. */
export function openingFault(path: string, code: string): string | null {
  const start = code
    .replace(/^#!.*\n/, '')
    .replace(/^\s*<script[^>]*>/, '')
    .trimStart()
  const comment = /^(?:\/\*\*?([\s\S]*?)\*\/|((?:\/\/.*\n?)+)|<!--([\s\S]*?)-->)/.exec(start)
  const text = (comment?.[1] ?? comment?.[2] ?? comment?.[3] ?? '').replace(/^\s*(?:\*|\/\/)/gm, '').trim()
  const isSentence = /[.:]/.test(text) && text.includes(' ') && !/^(eslint|@ts-|global )/.test(text)
  return isSentence ? null : `${path} does not open with a sentence on what it is for`
}

export function sizeFault(path: string, code: string): string | null {
  const lines = code.split('\n').length - 1
  if (lines <= LINES_AT_MOST || Object.hasOwn(LONG_FILES, path)) return null
  return `${path} has ${lines} lines, more than ${LINES_AT_MOST}`
}

/** Limit of files in one folder, so that a reader can grasp it. Tables of texts are not limited. */
const FILES_AT_MOST = 20
const TABLES_OF_TEXT = ['renderer/locales/en', 'renderer/locales/es']
/** Limit of rooms at the top of server/, so that a newcomer can remember them. */
const ROOMS_AT_MOST = 15

/** Returns every folder with too many files, as sentences. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > FILES_AT_MOST && !TABLES_OF_TEXT.includes(folder))
    .map(([folder, count]) => `${folder} holds ${count} files, more than ${FILES_AT_MOST}`)
}

/** Returns a fault if server/ has too many rooms, or files beside them. */
export function roomFaults(paths: readonly string[]): string[] {
  const inServer = paths.filter((path) => path.startsWith('server/'))
  const rooms = new Set(
    inServer.filter((path) => path.split('/').length > 2).map((path) => path.split('/')[1]),
  )
  const beside = inServer.filter((path) => path.split('/').length === 2 && path !== 'server/context.ts')
  return [
    ...(rooms.size > ROOMS_AT_MOST ? [`server/ has ${rooms.size} rooms, more than ${ROOMS_AT_MOST}`] : []),
    ...beside.map((path) => `${path} stands beside the rooms`),
  ]
}
