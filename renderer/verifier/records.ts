/** Records: recomputes each hash from its XML, follows each link, and compares them with the chain's list. */
import { followFault, hashedText } from '../../server/registry/systems/verifactu/record/hashed.ts'
import type { SealedRecord } from '../../server/registry/systems/verifactu/record/hashed.ts'
import { readSealedRecord } from '../../server/registry/systems/verifactu/record/sealed.ts'
import type { ChainEntry } from '../../server/registry/chain/export-chain.ts'
import type { Manifest } from '../../server/app/inspection/format.ts'
import type { Archive } from './archive.ts'
import { Findings, membersOf, sha256 } from './findings.ts'
import type { Report } from './findings.ts'
import { isSignedFile, readSignedFile, signedFault } from './signed.ts'
import type { SignedRecord } from './signed.ts'

const RECORD = /<sf:(RegistroAlta|RegistroAnulacion)[ >].*?<\/sf:\1>/gs
/** Number of parallel digests: scheduling one alone takes longer than computing it. */
const BATCH = 200

export interface ReadRecord {
  record: SealedRecord | SignedRecord
  path: string
  /** Position in the chain, if known. */
  sequence: number
}

const utf8 = new TextDecoder('utf-8')
const bytesOf = (text: string) => new TextEncoder().encode(text)

const isSigned = (record: ReadRecord['record']): record is SignedRecord => 'listed' in record

/** Returns the name of a record: its number and its position. */
const nameOf = ({ record, sequence }: ReadRecord) => `${record.link.number} (#${sequence})`

/** Returns the texts of the records in the order of the chain. */
async function stringsOf(archive: Archive, findings: Findings): Promise<{ xml: string; path: string }[]> {
  const paths = [...archive.paths]
    .filter((path) => path.startsWith('records/') && path.endsWith('.xml'))
    .toSorted()
  const texts: { xml: string; path: string }[] = []
  for (const [index, path] of paths.entries()) {
    try {
      const text = utf8.decode(await archive.read(path))
      // A signed file is a document of its own; the end of its last line is not part of it.
      if (isSignedFile(text)) texts.push({ xml: text.replace(/\n$/, ''), path })
      else for (const [xml] of text.matchAll(RECORD)) texts.push({ xml, path })
    } catch {
      findings.add('file_unreadable', path)
    }
    await findings.step(index, paths.length)
  }
  return texts
}

async function checkHashes(archive: Archive, manifest: Manifest, tell: Report): Promise<ReadRecord[]> {
  const findings = new Findings('hashes', tell)
  const texts = await stringsOf(archive, findings)
  const first = manifest.records?.first ?? 1
  const read: ReadRecord[] = []
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch: ReadRecord[] = []
    for (const { xml, path } of texts.slice(from, from + BATCH)) {
      const sequence = first + from + batch.length
      try {
        const record = isSignedFile(xml)
          ? readSignedFile(xml, (await sha256(bytesOf(xml))).toUpperCase())
          : readSealedRecord(xml)
        batch.push({ record, path, sequence })
      } catch {
        findings.add('record_unreadable', `#${sequence}`, path)
      }
    }
    // The hash of a signed file is that of its text; the chain's list says which one it has to be.
    const hashes = await Promise.all(
      batch.map(({ record }) => (isSigned(record) ? record.link.hash : sha256(bytesOf(hashedText(record))))),
    )
    for (const [index, one] of batch.entries())
      if (hashes[index]?.toUpperCase() !== one.record.link.hash)
        findings.add('hash_mismatch', nameOf(one), one.path)
    read.push(...batch)
    findings.looked = read.length
    await findings.step(read.length, texts.length)
  }
  const expected = manifest.records ? manifest.records.last - manifest.records.first + 1 : 0
  if (texts.length !== expected) findings.add('record_count', 'records/', `${texts.length} / ${expected}`)
  findings.end(manifest.records !== null)
  return read
}

async function checkLinks(read: readonly ReadRecord[], manifest: Manifest, tell: Report): Promise<void> {
  const findings = new Findings('links', tell)
  const starts = new Set(manifest.installations.map(({ firstSequence }) => firstSequence))
  let before: ReadRecord | null = null
  /** The last signed file that the next one follows; undefined if it is not in the pack. */
  let lastLink: SignedRecord | null | undefined
  for (const [index, one] of read.entries()) {
    findings.looked += 1
    const { previous } = one.record
    if (isSigned(one.record)) {
      if (starts.has(one.sequence)) lastLink = null
      const fault = lastLink === undefined ? null : signedFault(one.record, lastLink)
      if (fault) findings.add(fault, nameOf(one), previous?.number ?? '')
      if (one.record.isLink) lastLink = one.record
    } else if (before === null && !starts.has(one.sequence)) {
      // The preceding record is not in the pack: only its hash is known.
      if (previous?.hash !== manifest.records?.previousHash)
        findings.add('previous_mismatch', nameOf(one), previous?.number ?? '')
    } else {
      const link = before && !isSigned(before.record) ? before.record.link : null
      const fault = followFault(one.record, starts.has(one.sequence) ? null : link)
      if (fault) findings.add(fault, nameOf(one), previous?.number ?? '')
    }
    before = one
    await findings.step(index, read.length)
  }
  if (before && before.record.link.hash !== manifest.records?.head)
    findings.add('head_mismatch', nameOf(before), manifest.records?.head)
  findings.end(manifest.records !== null)
}

/** Assigns each record its position from the list, and reports records missing on either side. */
async function checkChain(
  archive: Archive,
  read: readonly ReadRecord[],
  manifest: Manifest,
  tell: Report,
): Promise<void> {
  const findings = new Findings('chain', tell)
  if (manifest.records === null) {
    findings.end(false)
    return
  }
  const entries = membersOf<ChainEntry>(
    utf8.decode(await archive.read('chain.json').catch(() => new Uint8Array())),
  )
  const byHash = new Map<string, ChainEntry>()
  let expected = manifest.records.first
  for (const [index, entry] of entries.entries()) {
    if (entry === null) {
      findings.add('line_unreadable', 'chain.json', String(index + 2))
      continue
    }
    if (entry.sequence !== expected) findings.add('sequence', `#${entry.sequence}`, `#${expected}`)
    expected = entry.sequence + 1
    byHash.set(entry.hash, entry)
  }
  let last = manifest.records.first - 1
  for (const [index, one] of read.entries()) {
    findings.looked += 1
    const entry = byHash.get(one.record.link.hash)
    if (!entry) findings.add('not_in_chain', nameOf(one), one.path)
    else {
      byHash.delete(entry.hash)
      if (entry.sequence < last) findings.add('out_of_order', `${entry.fields.number} (#${entry.sequence})`)
      last = Math.max(last, entry.sequence)
      const texts = Object.entries(isSigned(one.record) ? one.record.listed : one.record.text)
      if (
        texts.some(([name, value]) => entry.fields[name] !== value) ||
        entry.previousHash !== (one.record.previous?.hash ?? null) ||
        entry.kind !== one.record.kind
      )
        findings.add('chain_differs', `${entry.fields.number} (#${entry.sequence})`)
    }
    await findings.step(index, read.length)
  }
  for (const entry of byHash.values())
    findings.add('record_missing', `${entry.fields.number} (#${entry.sequence})`)
  findings.end()
}

/** Checks all records; returns the readable ones. */
export async function checkRecords(
  archive: Archive,
  manifest: Manifest,
  tell: Report,
): Promise<ReadRecord[]> {
  const read = await checkHashes(archive, manifest, tell)
  await checkLinks(read, manifest, tell)
  await checkChain(archive, read, manifest, tell)
  return read
}
