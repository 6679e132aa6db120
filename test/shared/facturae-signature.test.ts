/**
 * Signed Facturae invoices against the published schemas, which take the signature for a part of the invoice. Runs only where
 * SELLO_SHARED names the folder of facts.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { facturaeXml } from '../../server/documents/e-invoice/index.ts'
import { signFacturae } from '../../server/documents/signing/index.ts'
import { SAMPLES } from '../server/documents/e-invoice/samples.ts'
import { KEY_TYPES, SIGNED_AT, signer } from '../server/documents/signing/samples.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const hasLinter = spawnSync('xmllint', ['--version']).status === 0
const SCHEMA = join(shared, 'einvoice/Facturaev3_2_2.xsd')

describe.skipIf(shared === '' || !hasLinter)('the schemas of Facturae and of XML Signature', () => {
  const complaints = (xml: string): string => {
    const args = ['--noout', '--nonet', '--schema', SCHEMA, '-']
    const { status, stderr } = spawnSync('xmllint', args, { input: xml, encoding: 'utf8' })
    return status === 0 ? '' : stderr
  }

  test('take our signed invoices, and not without a part of the signature', () => {
    Object.entries(SAMPLES).forEach(([name, make], index) => {
      const { key } = signer(KEY_TYPES[index % KEY_TYPES.length]!, true)
      const signed = signFacturae(facturaeXml(make()), key, { signedAt: SIGNED_AT })
      expect(complaints(signed), name).toBe('')
      const without = signed.replace(/<ds:SignatureValue.*<\/ds:SignatureValue>/, '')
      expect(complaints(without), name).toContain('SignatureValue')
    })
  })
})
