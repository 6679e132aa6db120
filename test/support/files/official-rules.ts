/**
 * The official validation of EN 16931 as XSLT, where it can be had: `SELLO_EN16931` names a checkout of
 * ConnectingEurope/eInvoicing-EN16931, and Saxon comes from Debian's package libsaxonhe-java. Neither is part of this repository.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SAXON = '/usr/share/java/Saxon-HE.jar'
const rules = process.env['SELLO_EN16931'] ?? ''

const sheetOf = (syntax: 'ubl' | 'cii'): string =>
  join(rules, syntax, 'xslt', `EN16931-${syntax.toUpperCase()}-validation.xslt`)

/** Schema of CII that comes with the rules, without code lists, which are older than the rules. */
export const CII_SCHEMA = join(
  rules,
  'cii/schema/D16B SCRDM (Subset)/uncoupled clm/CII/uncefact/data/standard/CrossIndustryInvoice_100pD16B.xsd',
)

/** Whether the rules and their processor are here. */
export const HAS_OFFICIAL_RULES = rules !== '' && existsSync(sheetOf('ubl')) && existsSync(SAXON)

/** Returns the failed rules of the documents, such as `12 BR-CO-15`, by the document's position. */
export function officialFaults(syntax: 'ubl' | 'cii', documents: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sello-saxon-'))
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  try {
    for (const each of [from, to]) mkdirSync(each)
    for (const [index, xml] of documents.entries()) writeFileSync(join(from, `${index}.xml`), xml)
    const { status, stderr } = spawnSync(
      'java',
      [
        '-Xmx600m',
        '-cp',
        SAXON,
        'net.sf.saxon.Transform',
        `-s:${from}`,
        `-xsl:${sheetOf(syntax)}`,
        `-o:${to}`,
      ],
      { encoding: 'utf8' },
    )
    const reports = readdirSync(to)
    if (status !== 0 || reports.length !== documents.length) throw new Error(stderr)
    return reports.flatMap((file) =>
      Array.from(
        readFileSync(join(to, file), 'utf8').matchAll(/<svrl:failed-assert[^>]*?\sid="([^"]+)"/g),
        ([, rule]) => `${file.replace('.xml', '')} ${rule}`,
      ),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
