/** Asks xmlsec whether the signature of a file of TicketBAI is valid. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tool } from '../../../../support/tools.ts'
import { CA_PEM } from './samples.ts'

/** Returns the verdict and the words of xmlsec on a signed file, with the certificate checked up to the tests' root. */
export function xmlsecVerdict(folder: string, signed: string): { isValid: boolean; text: string } {
  const [file, ca] = [join(folder, 'file.xml'), join(folder, 'ca.pem')]
  writeFileSync(file, signed)
  writeFileSync(ca, CA_PEM)
  const ids = ['SignedProperties', 'KeyInfo'].flatMap((name) => ['--id-attr:Id', name])
  const { status, stdout, stderr } = spawnSync(
    tool('xmlsec1')!,
    ['--verify', '--trusted-pem', ca, '--verification-time', '2026-11-30 11:05:07', ...ids, file],
    { encoding: 'utf8' },
  )
  return { isValid: status === 0, text: stdout + stderr }
}
