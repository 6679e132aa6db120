/**
 * What is exported, against the authority's published schemas. Runs only where SELLO_SHARED names the folder of facts and
 * xmllint is installed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fillBook } from '../../server/app/demo/index.ts'
import { exportRecordsTo } from '../../server/registry/chain/export.ts'
import { openBooks } from '../support/books.ts'
import type { DraftInput, TestBooks } from '../support/books.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const hasLinter = spawnSync('xmllint', ['--version']).status === 0

/** The XML files below a folder. */
function messagesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.xml'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sello-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const line = (changes: Partial<DraftInput['lines'][number]> = {}) => ({
  description: 'Reparación <urgente> & "montaje"',
  quantity: 1.5,
  unitPrice: 33.333333,
  ...changes,
})

/** A book with records of every sort the product makes, in two chains. */
async function variedBook(): Promise<TestBooks> {
  const world = await openBooks()
  const { id } = await world.invoice()
  await world.invoice({ kind: 'F2', clientName: 'Venta en tienda', clientNif: null, lines: [line()] })
  await world.invoice({
    clientName: 'Muñoz & Cía <Ñu>, S.L.',
    lines: [line({ vatRate: 10 }), line({ vatRate: 4 })],
  })
  await world.invoice({ lines: [line({ taxTreatment: 'E1' }), line()] })
  await world.invoice({
    clientName: 'Müller GmbH',
    clientNif: 'DE811569869',
    client: { country: 'DE', idType: '02' },
    lines: [line({ taxTreatment: 'N2' })],
  })
  await world.send()
  const changes = { description: 'Otra descripción' }
  const amend = await world.run('invoices.validate', { id, action: 'amend', changes })
  await world.run('invoices.amend', { id, confirmationToken: amend.confirmation?.confirmationToken ?? '' })
  await world.send()
  await world.run('registry.newInstallation', { reason: 'moved' })
  const cancel = await world.run('invoices.validate', { id, action: 'cancel' })
  await world.run('invoices.cancel', { id, confirmationToken: cancel.confirmation?.confirmationToken ?? '' })
  await world.send()
  await fillBook(world.test, { invoices: 1200, contacts: 20, drafts: 0 })
  return world
}

describe.skipIf(shared === '' || !hasLinter)('exported records', () => {
  const schema = join(shared, 'registry/schemas/all.xsd')

  /** Nothing when all the files are valid, otherwise the linter's words. */
  function complaints(files: readonly string[]): string {
    const { status, stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', schema, ...files], {
      encoding: 'utf8',
    })
    return status === 0 ? '' : stderr.replace(/^.* validates$/gm, '').trim()
  }

  test('are messages of the published schema, in the folder and in the ZIP', async () => {
    const world = await variedBook()
    const folder = folderOfTest()
    expect(await exportRecordsTo(world.test, folder)).toBe(1207)
    const files = messagesIn(folder)
    expect(files).toHaveLength(2)
    expect(complaints(files)).toBe('')
    const kinds = files.map((file) => readFileSync(file, 'utf8')).join('')
    for (const sort of [
      'RegistroAlta ',
      'RegistroAnulacion ',
      'Subsanacion>S<',
      'IDOtro>',
      'OperacionExenta>',
    ])
      expect(kinds).toContain(sort)

    const { bytes } = await world.run('registry.export', {})
    const unpacked = Object.entries(unzipSync(bytes)).filter(([path]) => path.endsWith('.xml'))
    const fromZip = unpacked.map(([path, content]) => {
      const file = join(folder, 'zip', path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, strFromU8(content))
      return file
    })
    expect(fromZip).toHaveLength(files.length)
    expect(complaints(fromZip)).toBe('')
  })

  test('that are spoiled are seen', async () => {
    const world = await openBooks()
    await world.invoice()
    const folder = folderOfTest()
    await exportRecordsTo(world.test, folder)
    const [file = ''] = messagesIn(folder)
    expect(complaints([file])).toBe('')
    writeFileSync(file, readFileSync(file, 'utf8').replace('<sf:TipoFactura>F1</sf:TipoFactura>', ''))
    expect(complaints([file])).toContain('TipoFactura')
  })
})
