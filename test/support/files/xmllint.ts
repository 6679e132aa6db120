/** Validates many files at once against a schema with xmllint. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns an empty text if all documents are valid, otherwise the linter's messages. Loads nothing from the network. */
export function schemaComplaints(schema: string, documents: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-xmllint-'))
  try {
    const files = documents.map((xml, index) => {
      const file = join(folder, `${index}.xml`)
      writeFileSync(file, xml)
      return file
    })
    const { status, stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', schema, ...files], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
    if (status === 0) return ''
    return stderr.replace(/^.*validates$\n?/gm, '') || `xmllint ended with ${status}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the document as Canonical XML 1.0. */
export function canonical(xml: string): string {
  const { status, stdout, stderr } = spawnSync('xmllint', ['--nonet', '--c14n', '-'], {
    input: xml,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Returns whether each document is valid, at its position. */
export function areValid(schema: string, documents: readonly string[]): boolean[] {
  const folder = mkdtempSync(join(tmpdir(), 'sello-xmllint-'))
  try {
    const files = documents.map((xml, index) => {
      const file = join(folder, `${index}.xml`)
      writeFileSync(file, xml)
      return file
    })
    const { stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', schema, ...files], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    const valid = new Set(Array.from(stderr.matchAll(/^(.+) validates$/gm), ([, file = '']) => file))
    return files.map((file) => valid.has(file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
