/** Checks of a pack, one after another. Runs in a worker or, without one, in the page, step by step. */
import { hashedText } from '../../server/platform/audit/hashed.ts'
import type { HashedEvent } from '../../server/platform/audit/hashed.ts'
import { PACK_FORMAT, PACK_VERSION, sealedText } from '../../server/app/inspection/format.ts'
import type { Manifest } from '../../server/app/inspection/format.ts'
import { ArchiveFault, openFolder, openZip } from './archive.ts'
import type { Archive } from './archive.ts'
import { Findings, hexOf, membersOf, sha256 } from './findings.ts'
import type { Report } from './findings.ts'
import type { Facts, Request } from './model.ts'
import { checkRecords } from './records.ts'
import { checkBooks, checkInvoices, checkNumbers, readInvoices } from './sums.ts'

const utf8 = new TextDecoder('utf-8')

function factsOf(manifest: Manifest): Facts {
  const { company, book, records, selfCheck } = manifest
  return {
    company: company.name,
    nif: company.nif,
    isTest: book.mode === 'test',
    years: manifest.years,
    madeAt: manifest.madeAt,
    version: manifest.program.version,
    // Packs of earlier versions do not name it.
    build: manifest.program.build ?? null,
    records: records ? records.last - records.first + 1 : 0,
    invoices: manifest.invoices.count,
    events: manifest.audit.events,
    head: records?.head ?? null,
    installations: manifest.installations.map(({ installation }) => installation),
    missing: manifest.invoices.missing,
    selfCheck: {
      ok: selfCheck.ok,
      checks: selfCheck.checks.length,
      wrong: selfCheck.checks
        .filter(({ ok }) => !ok)
        .map(({ invariant, name, detail }) => `${invariant} ${name}: ${detail}`),
    },
  }
}

async function readManifest(archive: Archive): Promise<Manifest> {
  const manifest = JSON.parse(utf8.decode(await archive.read('manifest.json'))) as Manifest
  if (manifest.format !== PACK_FORMAT || manifest.version !== PACK_VERSION) throw new Error('another format')
  return manifest
}

async function checkManifest(manifest: Manifest, tell: Report): Promise<void> {
  const findings = new Findings('manifest', tell)
  const { seal, ...rest } = manifest
  findings.looked = 1
  if ((await sha256(new TextEncoder().encode(sealedText(rest)))) !== seal)
    findings.add('seal_mismatch', 'manifest.json')
  findings.end()
}

async function checkFiles(archive: Archive, manifest: Manifest, tell: Report): Promise<void> {
  const findings = new Findings('files', tell)
  const listed = new Set(['manifest.json'])
  for (const [index, { path, bytes, sha256: expected }] of manifest.files.entries()) {
    listed.add(path)
    findings.looked += 1
    try {
      const content = await archive.read(path)
      if (content.byteLength !== bytes) findings.add('file_size', path, `${content.byteLength} ≠ ${bytes}`)
      else if ((await sha256(content)) !== expected) findings.add('file_differs', path)
    } catch (error) {
      const isMissing = error instanceof ArchiveFault && error.code === 'missing'
      findings.add(isMissing ? 'file_missing' : 'file_unreadable', path)
    }
    await findings.step(index, manifest.files.length)
  }
  for (const path of archive.paths) if (!listed.has(path)) findings.add('file_unlisted', path)
  findings.end()
}

interface Line {
  event: HashedEvent
  hash: string
}

async function checkHistory(archive: Archive, manifest: Manifest, tell: Report): Promise<void> {
  const findings = new Findings('history', tell)
  const content = await archive.read('audit.jsonl').catch(() => null)
  if (!content) findings.add('file_missing', 'audit.jsonl')
  const lines = membersOf<Line>(content ? utf8.decode(content) : '')
  let previous = new Uint8Array()
  for (const [index, line] of lines.entries()) {
    findings.looked += 1
    const place = `audit.jsonl:${index + 1}`
    if (line === null) {
      findings.add('line_unreadable', 'audit.jsonl', String(index + 1))
      continue
    }
    const text = new TextEncoder().encode(hashedText(line.event))
    const bytes = new Uint8Array(previous.byteLength + text.byteLength)
    bytes.set(previous)
    bytes.set(text, previous.byteLength)
    const { sequence, action } = line.event
    if (sequence !== index + 1) findings.add('event_order', place, `${action} (#${sequence})`)
    else if ((await sha256(bytes)) !== line.hash)
      findings.add('event_differs', place, `${action} (#${sequence})`)
    previous = Uint8Array.from(line.hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    await findings.step(index, lines.length)
  }
  const { events, head } = manifest.audit
  if (lines.length !== events) findings.add('event_count', 'audit.jsonl', `${lines.length} / ${events}`)
  else if (head !== null && hexOf(previous) !== head) findings.add('event_head', 'audit.jsonl')
  findings.end(events > 0)
}

/** Checks a pack and reports every finding. Never throws. */
export async function check(request: Request, tell: Report): Promise<void> {
  try {
    const archive = 'zip' in request ? await openZip(request.zip) : openFolder(request.folder)
    const manifest = await readManifest(archive).catch((error: unknown) => {
      throw error instanceof ArchiveFault ? error : new ArchiveFault('damaged', 'manifest.json')
    })
    tell({ kind: 'facts', facts: factsOf(manifest) })
    await checkManifest(manifest, tell)
    await checkFiles(archive, manifest, tell)
    const read = await checkRecords(archive, manifest, tell)
    const invoices = await readInvoices(archive)
    await checkNumbers(invoices ?? [], read, manifest, tell)
    await checkInvoices(archive, invoices, read, manifest, tell)
    await checkHistory(archive, manifest, tell)
    await checkBooks(archive, read, tell)
    tell({ kind: 'done' })
  } catch (error) {
    const known = error instanceof ArchiveFault
    tell({
      kind: 'unreadable',
      fault: known
        ? { code: `archive_${error.code}`, place: error.place }
        : { code: 'archive_damaged', place: 'manifest.json' },
    })
  }
}
