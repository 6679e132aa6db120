/** Self-verifying archive: each file is created when the stream reaches it, the manifest of all of them last. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { provenEvents, recordAudit } from '../../platform/audit/index.ts'
import { findCompany } from '../../company/index.ts'
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import type { inspectorPackContract, packProgressContract } from './contract.ts'
import { businessDateOf, madridInstant } from '../../domain/dates.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { zipOf } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../context.ts'
import { chainEntries, exportedFiles, hashAt, installationsOf } from '../../registry/index.ts'
import { checkBook } from '../integrity/index.ts'
import type { SelfCheck } from '../integrity/index.ts'
import { SCHEMA_VERSION } from '../../db/migrations/version.ts'
import { bookEntries } from './books.ts'
import { jsonLines, PACK_FORMAT, PACK_VERSION, sealedText } from './format.ts'
import type { Manifest, PackedFile } from './format.ts'
import { invoiceEntries } from './invoices.ts'
import type { PackedInvoices } from './invoices.ts'
import { planOf } from './plan.ts'
import type { Plan, Years } from './plan.ts'
import { englishReadme, spanishReadme } from './readme.ts'

type Progress = NonNullable<ContractOutput<typeof packProgressContract>['underWay']>

const LINES = 1_000

/** Progress of the archive in progress, by book. */
const underWay = new WeakMap<AppEnvironment, Map<number, Progress>>()

function packsOf(env: AppEnvironment): Map<number, Progress> {
  const known = underWay.get(env) ?? new Map<number, Progress>()
  underWay.set(env, known)
  return known
}

/** Returns the verifier page from the build: next to this file, or next to the bundle. */
async function verifierPage(): Promise<Buffer> {
  return readFile(new URL('./verifier/index.html', import.meta.url))
}

/** Passes an entry through and records its size and hash, from its bytes or from its chunks as they pass. */
function noted(entry: ZipEntry, note: (file: PackedFile) => void): ZipEntry {
  const hash = createHash('sha256')
  if ('bytes' in entry) {
    const { name: path, bytes } = entry
    note({ path, bytes: bytes.byteLength, sha256: hash.update(bytes).digest('hex') })
    return entry
  }
  const { name, parts } = entry
  async function* through(): AsyncGenerator<string | Uint8Array> {
    let bytes = 0
    for await (const part of parts) {
      bytes += Buffer.byteLength(part)
      hash.update(part)
      yield part
    }
    note({ path: name, bytes, sha256: hash.digest('hex') })
  }
  return { name, parts: through() }
}

const textEntry = (name: string, text: string): ZipEntry => ({
  name,
  bytes: Buffer.from(text, 'utf8'),
  compress: true,
})

async function* historyLines(ctx: Ctx, plan: Plan, seen: (done: number) => void): AsyncGenerator<string> {
  let done = 0
  for await (const page of provenEvents(ctx, plan.events)) {
    yield page.map((event) => `${JSON.stringify(event)}\n`).join('')
    done += page.length
    seen(done)
  }
}

async function* pagesOf<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < items.length; from += LINES) yield items.slice(from, from + LINES)
}

async function manifestOf(
  ctx: Ctx,
  plan: Plan,
  { files, invoices, proof }: { files: PackedFile[]; invoices: PackedInvoices; proof: SelfCheck },
): Promise<Manifest> {
  const { book, env } = ctx
  const company = await findCompany(ctx)
  const { range } = plan
  const unsealed: Omit<Manifest, 'seal'> = {
    format: PACK_FORMAT,
    version: PACK_VERSION,
    madeAt: madridInstant(ctx.now()),
    program: { name: 'Sello', version: env.version, build: env.build, schema: SCHEMA_VERSION },
    book: { id: book.publicId, mode: book.mode, environment: book.environment },
    company: { name: company.legal_name, nif: company.nif },
    years: plan.years,
    records: range && {
      ...range,
      previousHash: await hashAt(ctx, range.first - 1),
      head: (await hashAt(ctx, range.last)) ?? '',
    },
    installations: (await installationsOf(ctx)).map((one) => ({
      installation: one.installation,
      firstSequence: one.first_sequence,
      startedAt: madridInstant(new Date(one.started_at)),
      reason: one.reason,
    })),
    series: invoices.series,
    invoices: { count: invoices.listed.length, missing: invoices.missing },
    audit: { events: plan.events, head: plan.auditHead },
    selfCheck: { ok: proof.ok, checks: proof.checks },
    files,
  }
  return { ...unsealed, seal: createHash('sha256').update(sealedText(unsealed)).digest('hex') }
}

/** Yields the entries of a pack and reports progress to `tell`. Identical for the same books, years and instant. */
export async function* packEntries(
  ctx: Ctx,
  plan: Plan,
  onProgress: (progress: Progress) => void = () => {},
): AsyncGenerator<ZipEntry, void, undefined> {
  const files: PackedFile[] = []
  const invoices: PackedInvoices = { listed: [], series: [], missing: [] }
  const note = (entry: ZipEntry): ZipEntry => noted(entry, (file) => files.push(file))
  const company = await findCompany(ctx)
  const { range } = plan

  onProgress({ step: 'checking', done: 0, total: 0 })
  const proof = await checkBook(ctx)
  const facts = {
    company: company.legal_name,
    nif: company.nif,
    madeAt: madridInstant(ctx.now()),
    version: ctx.env.version,
    build: ctx.env.build,
    isTest: ctx.book.mode === 'test',
    years: plan.years,
  }
  yield note({ name: 'index.html', bytes: await verifierPage(), compress: true })
  yield note(textEntry('LEEME.txt', spanishReadme(facts)))
  yield note(textEntry('README.txt', englishReadme(facts)))

  onProgress({ step: 'records', done: 0, total: 0 })
  if (range) {
    for await (const { path, parts } of exportedFiles(ctx, range))
      yield note({ name: `records/${path}`, parts })
    yield note({ name: 'chain.json', parts: jsonLines(chainEntries(ctx, range)) })
  }

  const seen = (done: number): void => onProgress({ step: 'invoices', done, total: plan.invoices })
  seen(0)
  for await (const entry of invoiceEntries(ctx, plan, invoices, seen)) yield note(entry)
  yield note({ name: 'invoices/invoices.json', parts: jsonLines(pagesOf(invoices.listed)) })

  yield note({
    name: 'audit.jsonl',
    parts: historyLines(ctx, plan, (done) => onProgress({ step: 'history', done, total: plan.events })),
  })

  const years = plan.bookYears
  for await (const entry of bookEntries(ctx, years, (done) =>
    onProgress({ step: 'books', done, total: years.length }),
  ))
    yield note(entry)

  onProgress({ step: 'closing', done: 0, total: 0 })
  const manifest = await manifestOf(ctx, plan, { files, invoices, proof })
  yield textEntry('manifest.json', `${JSON.stringify(manifest, null, 1)}\n`)
}

function yearsOf({ from, to }: ContractInput<typeof inspectorPackContract>): Years | null {
  if (from === undefined && to === undefined) return null
  const years = { from: from ?? to ?? 0, to: to ?? from ?? 0 }
  if (years.from > years.to)
    throw validationFailed([
      { code: 'dates_reversed', field: 'from', severity: 'error', message: 'from is after to.' },
    ])
  return years
}

async function* streamOf(ctx: Ctx, plan: Plan): AsyncGenerator<Uint8Array, void, undefined> {
  const packs = packsOf(ctx.env)
  try {
    const report = (progress: Progress): void => void packs.set(ctx.book.id, progress)
    yield* zipOf(packEntries(ctx, plan, report), ctx.now())
  } finally {
    packs.delete(ctx.book.id)
  }
}

/** Fixes the content of the pack and writes the audit entry of the export. */
async function planned(ctx: Ctx, years: Years | null): Promise<Plan> {
  // Before the audit entry, so that a pack that cannot be made leaves no trace.
  await planOf(ctx, years)
  await ctx.transaction((tx) =>
    recordAudit(tx, {
      action: 'books.packed',
      target: {
        type: 'book',
        id: ctx.book.publicId,
        ...(years ? { label: `${years.from}–${years.to}` } : {}),
      },
    }),
  )
  return planOf(ctx, years)
}

/** Returns the pack, after its audit entry is committed. */
export const inspectorPack: UseCase<typeof inspectorPackContract> = async (ctx, input) => {
  const years = yearsOf(input)
  const packs = packsOf(ctx.env)
  if (packs.has(ctx.book.id)) throw new AppError('exports_busy', { details: { most: 1 } })
  // Reserved before any await: planning large books takes a while, and two parallel requests would both pass.
  packs.set(ctx.book.id, { step: 'checking', done: 0, total: 0 })
  try {
    const plan = await planned(ctx, years)
    const { nif } = await findCompany(ctx)
    const span =
      years === null ? '' : years.from === years.to ? `-${years.from}` : `-${years.from}-${years.to}`
    return {
      stream: streamOf(ctx, plan),
      fileName: `inspeccion-${nif}${ctx.book.mode === 'test' ? '-prueba' : ''}${span}-${businessDateOf(ctx.now())}.zip`,
    }
  } finally {
    // The reader of the stream reserves it again; a stream that is never read would never release it.
    packs.delete(ctx.book.id)
  }
}

/** Returns the progress of the book's pack. */
export const packProgress: UseCase<typeof packProgressContract> = async (ctx) => ({
  underWay: packsOf(ctx.env).get(ctx.book.id) ?? null,
})
