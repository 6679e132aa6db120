/** Reads the imports of source files and finds those that go against the layers. The tables at the top are the rules. */
import { posix } from 'node:path'
import ts from 'typescript'

/** Path from the repository's root, with `/`, to content. */
export type Sources = Record<string, string>

export interface Import {
  /** Path from the repository's root for a relative import; else the package's name as written. */
  target: string
  /** False when it is gone after compiling (`import type`). */
  isValue: boolean
  /** Loaded when it is needed (`import()`). */
  isLate: boolean
}

/**
 * Slices of server/ and the slices each may import, through their index.ts or contract.ts only.
 * A contract.ts may besides import any other contract.ts: words are shared more widely than deeds.
 */
const SLICES: Record<string, readonly string[]> = {
  certificates: ['audit', 'events'],
  company: ['series', 'certificates', 'audit', 'events'],
  contacts: ['company', 'bin', 'audit', 'events'],
  series: ['audit', 'events'],
  keys: ['audit', 'events'],
  registry: ['company', 'certificates', 'series', 'keys', 'audit', 'events'],
  inbox: ['audit', 'events', 'keys'],
  // Whether what is proposed can be done: it asks those who would do it, and none of them knows it.
  feasibility: [
    'inbox',
    'invoices',
    'contacts',
    'mail',
    'erp',
    'certificates',
    'fiscal',
    'payments',
    'quotes',
    'received',
  ],
  // Connecting an assistant, and what it asked and saw.
  assistants: ['keys', 'company', 'contacts', 'items'],
  // What the law says of taxes, as dated tables and a helper: knows nobody's books.
  tax: [],
  // Services asked on demand: VAT numbers, the census, exchange rates.
  lookups: ['certificates', 'audit'],
  items: ['tax', 'bin', 'audit', 'events'],
  // How often keys may ask: holds for all books, so every book's history tells of a change.
  limits: ['company', 'keys', 'audit'],
  attachments: ['audit'],
  // What every fact adds to the figures of its period, and what every fact books: written by those who make the facts.
  figures: [],
  ledger: ['audit', 'events'],
  invoices: [
    'company',
    'contacts',
    'items',
    'series',
    'tax',
    'figures',
    'ledger',
    'registry',
    'bin',
    'audit',
    'events',
    'inbox',
    'keys',
  ],
  quotes: ['invoices', 'contacts', 'company', 'series', 'bin', 'audit', 'events'],
  recurring: ['invoices', 'contacts', 'company', 'series', 'bin', 'audit', 'events'],
  received: ['attachments', 'contacts', 'company', 'tax', 'figures', 'ledger', 'audit', 'events'],
  payments: ['tax', 'invoices', 'received', 'contacts', 'company', 'ledger', 'bin', 'audit', 'events'],
  bank: ['payments', 'invoices', 'received', 'contacts', 'company', 'ledger', 'bin', 'audit', 'events'],
  // An accounting system elsewhere, read on demand: knows the local books only to link and to copy.
  erp: ['contacts', 'invoices', 'received', 'company', 'bin', 'audit', 'events'],
  imports: ['contacts', 'items', 'invoices', 'received', 'company', 'audit', 'events'],
  // Papers as PDF files, from plain data to bytes; electronic invoices; signatures: what they are made of is handed in.
  pdf: [],
  einvoice: ['tax', 'invoices'],
  // What an invoice looks like, signed and kept.
  documents: [
    'pdf',
    'einvoice',
    'signing',
    'certificates',
    'invoices',
    'quotes',
    'payments',
    'registry',
    'company',
    'audit',
    'events',
  ],
  mail: ['invoices', 'quotes', 'payments', 'documents', 'pdf', 'contacts', 'company', 'audit', 'events'],
  fiscal: [
    'invoices',
    'documents',
    'received',
    'payments',
    'attachments',
    'figures',
    'ledger',
    'company',
    'registry',
    'erp',
    'pdf',
    'inbox',
    'audit',
    'events',
  ],
  // The page's own needs: it gathers what the other slices know, and none of them knows it.
  desk: [
    'figures',
    'company',
    'series',
    'keys',
    'registry',
    'invoices',
    'documents',
    'fiscal',
    'inbox',
    'audit',
    'payments',
    'received',
    'bank',
    'recurring',
    'quotes',
    'demo',
    'ledger',
    'mail',
    'webhooks',
    'backups',
  ],
  // One person's data in all areas: it reads and erases what the others keep, and none of them knows it.
  privacy: [
    'contacts',
    'invoices',
    'received',
    'attachments',
    'documents',
    'company',
    'idempotency',
    'assistants',
    'bin',
    'audit',
    'events',
  ],
  demo: ['contacts', 'invoices', 'items', 'received', 'payments', 'quotes', 'company'],
  'going-live': ['company', 'contacts', 'invoices', 'items'],
  // Signatures with a key that is handed in: knows neither where keys live nor what is signed.
  signing: [],
  audit: [],
  // Deleting with a way back, whatever it is: the schema says what goes along.
  bin: ['audit', 'events'],
  events: [],
  idempotency: [],
  // Copies of the whole store: whose books these are it asks only to prove them and to tell of a failure.
  backups: ['company', 'registry', 'audit', 'events'],
  // The proof that the books are whole: it asks everybody for theirs, and none of them knows it.
  'self-check': [
    'attachments',
    'audit',
    'backups',
    'certificates',
    'company',
    'desk',
    'erp',
    'events',
    'idempotency',
    'invoices',
    'keys',
    'ledger',
    'mail',
    'payments',
    'registry',
    'webhooks',
  ],
  // The books for somebody who has no Sello: what the others keep, with its proof, in one archive.
  inspection: [
    'self-check',
    'audit',
    'company',
    'documents',
    'fiscal',
    'invoices',
    'ledger',
    'registry',
    'series',
  ],
  // Events sent to whoever asked for them.
  webhooks: ['company', 'audit', 'events'],
}

/** Places in server/ outside core, store and the slices, and the places each may import. `slices` means through index.ts, start.ts or contract.ts. */
const PLACES: Record<string, readonly string[]> = {
  core: [],
  store: ['core'],
  // The one way to addresses that users chose.
  outward: ['core'],
  ctx: ['core', 'store'],
  contracts: ['core', 'contract.ts'],
  // What each operation is, what it does, and both together.
  'contract-facts.json': [],
  'openapi-examples.json': [],
  'openapi-words.json': [],
  'openapi-words': ['openapi-words.json'],
  'openapi-tags': [],
  functions: ['ctx', 'contracts', 'slices'],
  operations: ['core', 'ctx', 'contracts', 'contract-facts.json', 'functions'],
  run: ['core', 'ctx', 'operations', 'slices'],
  openapi: ['core', 'contracts', 'openapi-examples.json', 'openapi-tags', 'openapi-words'],
  // A backup put in the place of the books: proved by the self-check, which sees the slices.
  restore: ['core', 'store', 'ctx', 'slices', 'sealed', 'build'],
  // The sealed values of all slices, and what gives them and the books another key.
  sealed: ['store', 'slices'],
  'key-change': ['core', 'store', 'ctx', 'slices', 'sealed'],
  http: ['core', 'ctx', 'contracts', 'operations', 'run', 'slices'],
  mcp: ['core', 'ctx', 'contracts', 'operations', 'run', 'slices'],
  // While the books are shut: it looks at the folder and its key, never inside.
  trouble: ['core', 'store', 'http', 'contract.ts'],
  // The only places that build real things, so they see everything; of build/ the shipped producer data.
  app: [
    'core',
    'store',
    'ctx',
    'contracts',
    'operations',
    'run',
    'openapi',
    'slices',
    'http',
    'mcp',
    'trouble',
    'restore',
    'key-change',
    'build',
  ],
  cli: ['core', 'store', 'ctx', 'contracts', 'operations', 'run', 'slices', 'http', 'mcp', 'restore', 'app'],
}

/** What the page that goes out with the books takes of the server: the rules that it proves the books by, and their form. */
const VERIFIER_TAKES: readonly string[] = [
  'server/platform/audit/hashed.ts',
  'server/app/inspection/format.ts',
  'server/registry/record/hashed.ts',
  'server/registry/record/sealed.ts',
]

/** Longest file that one sitting reads. Tables of words or rules may be longer, each with its reason. */
const LINES_AT_MOST = 700
const LONG_FILES: Record<string, string> = {
  'server/domain/errors/catalog.ts': 'the catalogue: one table of every code',
  'renderer/locales/en/errors.ts': 'its texts: one table of every code',
  'renderer/locales/es/errors.ts': 'its texts: one table of every code',
}

interface Place {
  /** A key of PLACES, `slice`, or a top folder. */
  kind: string
  slice?: string
}

/** Every fault against the layers, as sentences. */
export function faultsOf(sources: Sources): string[] {
  const imports = new Map(Object.entries(sources).map(([path, code]) => [path, importsOf(path, code)]))
  const faults: string[] = []
  for (const [path, wanted] of imports) {
    const from = placeOf(path)
    if (!from) {
      faults.push(`${path} stands in no known place: put it in a slice, or add the place to the table`)
      continue
    }
    for (const each of wanted) {
      const reason = faultOf(path, from, each, sources, imports)
      if (reason) faults.push(`${path} imports ${each.target}: ${reason}`)
    }
  }
  return [...faults, ...circles(imports)]
}

function faultOf(
  path: string,
  from: Place,
  { target, isValue, isLate }: Import,
  sources: Sources,
  imports: Map<string, Import[]>,
): string | null {
  if (/^electron(\/|$)/.test(target)) {
    return from.kind === 'main' || from.kind === 'preload' ? null : 'only main/ and preload/ know Electron'
  }
  if (!isOurs(target)) {
    return from.kind === 'preload' && isValue ? 'a sandboxed preload can load no package' : null
  }
  if (isCode(target) && !(target in sources)) return 'there is no such file'
  const to = placeOf(target)
  if (!to) return 'it stands in no known place'

  switch (from.kind) {
    case 'main':
      if (to.kind === 'main' || target === 'preload/contract.ts' || target === 'server/api/application.ts')
        return null
      // It hands the way of the command line to the server, and runs no command itself.
      if (path === 'main/index.ts' && target === 'server/cli/main.ts' && isLate) return null
      return 'main/ sees the server through server/api/application.ts only'
    case 'preload':
      return to.kind === 'preload' ? null : 'the preload stands alone'
    case 'renderer':
      return rendererFault(target, to, isValue, imports)
    case 'verifier':
      if (to.kind === 'verifier' || !isValue || VERIFIER_TAKES.includes(target)) return null
      return 'the page that goes out with the books takes its rules from the server, nothing else'
    case 'slice':
      return sliceFault(path, from, target, to)
    default:
      return placeFault(from, target, to)
  }
}

function rendererFault(
  target: string,
  to: Place,
  isValue: boolean,
  imports: Map<string, Import[]>,
): string | null {
  if (to.kind === 'renderer') return null
  if (
    !isValue &&
    (isContract(target) || ['contracts', 'core'].includes(to.kind) || target === 'preload/contract.ts')
  ) {
    return null
  }
  if (to.kind !== 'core') return 'the page takes types of contracts, and values of server/core, nothing else'
  return reachesZod(target, imports) ? 'it brings zod into the page' : null
}

function sliceFault(path: string, from: Place, target: string, to: Place): string | null {
  if (to.kind === 'core') return null
  const allowed = SLICES[from.slice!]
  if (isContract(path)) {
    return to.slice === from.slice || isContract(target)
      ? null
      : 'a contract imports core and other contracts only'
  }
  if (['store', 'ctx', 'outward'].includes(to.kind)) return null
  if (to.kind !== 'slice') return `a slice may not import ${to.kind}`
  if (to.slice === from.slice) return null
  if (!isDoor(target)) return 'the inside of another slice: use its index.ts, start.ts or contract.ts'
  return allowed?.includes(to.slice!) || isContract(target)
    ? null
    : `no arrow from ${from.slice} to ${to.slice}`
}

function placeFault(from: Place, target: string, to: Place): string | null {
  if (to.kind === from.kind) return null
  const allowed = PLACES[from.kind] ?? []
  if (to.kind !== 'slice')
    return allowed.includes(to.kind) ? null : `no arrow from ${from.kind} to ${to.kind}`
  if (allowed.includes('contract.ts') && isContract(target)) return null
  if (!allowed.includes('slices')) return `no arrow from ${from.kind} to a slice`
  return isDoor(target) ? null : 'the inside of a slice: use its index.ts, start.ts or contract.ts'
}

/** Null for a place that is not in the tables. */
function placeOf(path: string): Place | null {
  const [top, second = ''] = path.split('/')
  if (path.startsWith('renderer/verifier/')) return { kind: 'verifier' }
  if (top !== 'server') return ['main', 'preload', 'renderer', 'build'].includes(top!) ? { kind: top! } : null
  const name = second.replace(/\.ts$/, '')
  if (Object.hasOwn(SLICES, name)) return { kind: 'slice', slice: name }
  return Object.hasOwn(PLACES, name) ? { kind: name } : null
}

const isOurs = (target: string): boolean =>
  /^(main|preload|renderer|server|build|test|bench|docs)\//.test(target)
const isCode = (target: string): boolean => /\.(ts|mts|mjs|vue)$/.test(target)
/** A slice's contract may stand in parts: `contract.ts` and `rectify-contract.ts`. */
const isContract = (path: string): boolean => /^server\/[^/]+\/(?:[a-z]+-)?contract\.ts$/.test(path)
/** `start.ts` is what the start of the program needs of a slice that it does not need whole. */
const isDoor = (path: string): boolean => /^server\/[^/]+\/((?:[a-z]+-)?contract|index|start)\.ts$/.test(path)

function reachesZod(start: string, imports: Map<string, Import[]>): boolean {
  return wayToZod(start, imports, () => true) !== null
}

/** The files that lead from one to zod by the imports that count, the first first; null when none do. */
function wayToZod(
  start: string,
  imports: Map<string, Import[]>,
  counts: (each: Import) => boolean,
): string[] | null {
  const cameFrom = new Map<string, string | null>([[start, null]])
  for (const path of cameFrom.keys())
    for (const each of imports.get(path) ?? []) {
      if (!each.isValue || !counts(each)) continue
      if (/^zod(\/|$)/.test(each.target)) {
        const way = [each.target]
        for (let at: string | null = path; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at)
        return way
      }
      if (!cameFrom.has(each.target)) cameFrom.set(each.target, path)
    }
  return null
}

/** How the start of a program loads schemas, which it must not: they are loaded with the first call that needs them. */
export function schemasAtStart(start: string, sources: Sources): string[] | null {
  const imports = new Map(Object.entries(sources).map(([path, code]) => [path, importsOf(path, code)]))
  return wayToZod(start, imports, ({ isLate }) => !isLate)
}

/** Circles between files of server/ by values, and between slices by any import but a contract's. */
function circles(imports: Map<string, Import[]>): string[] {
  const files = new Map<string, Set<string>>()
  const slices = new Map<string, Set<string>>()
  for (const [path, wanted] of imports) {
    if (!path.startsWith('server/')) continue
    const from = placeOf(path)?.slice
    for (const { target, isValue } of wanted) {
      if (isValue && target.startsWith('server/')) link(files, path, target)
      const to = isOurs(target) ? placeOf(target)?.slice : undefined
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

/** Imports, re-exports and `import('…')` of a TypeScript or Vue file. */
export function importsOf(path: string, code: string): Import[] {
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

/** A fault unless the file begins with a comment that is a sentence. */
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
