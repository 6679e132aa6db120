/** Damages certificate files and returns the reason for their rejection: a few in every run, many in the long one. */
import { X509Certificate } from 'node:crypto'
import { FileFault, PasswordFault } from '../../../../server/company/certificates/fault.ts'
import { openFile } from '../../../../server/company/certificates/opened.ts'
import { DEFAULT_WISH, makeCertificate, makeP12 } from '../../../support/files/certificates.ts'
import { certificateBag, keyBag, packP12 } from '../../../support/files/p12.ts'

/** Returns the reason for rejecting a file: `password`, or the reason in the error. */
export function refusal(file: Uint8Array, password: string, now: Date): string {
  try {
    openFile(Buffer.from(file), password, now)
  } catch (error) {
    if (error instanceof PasswordFault) return 'password'
    if (error instanceof FileFault) return error.why
    throw error
  }
  return 'none'
}

/**
 * Opens files with bytes changed at random positions of a seed, and counts the outcomes; the integrity check is
 * omitted, because nothing behind it would be reached otherwise.
 */
export function mutate(rounds: number, seed: number, now: Date): Record<string, number> {
  let random = seed
  const next = (below: number): number => {
    random = (random * 48_271) % 2_147_483_647
    return random % below
  }
  const originals = [
    makeP12({ withoutMac: true, plainKey: true, format: 'modern', iterations: 1 }),
    makeP12({ withoutMac: true, iterations: 1, keyType: 'rsa' }),
    makeP12({ format: 'rc2', withoutMac: true, iterations: 1 }),
    makeP12({ iterations: 1, macIterations: 1 }),
    makeP12({ pbmac1: true, iterations: 1, macIterations: 1 }),
  ]
  // Everything unencrypted, so that names, extensions and keys are reached too.
  const { certPem, keyPem } = makeCertificate()
  const bare = packP12(
    {
      sealed: [],
      open: [certificateBag(new X509Certificate(certPem).raw), keyBag(keyPem, { plainKey: true })],
    },
    { ...DEFAULT_WISH, withoutMac: true },
  )
  const files = [...originals.map((one) => one.p12), bare, bare, bare]
  const seen: Record<string, number> = {}
  for (let round = 0; round < rounds; round += 1) {
    const bytes = Buffer.from(files[round % files.length]!)
    for (let changes = 1 + next(3); changes > 0; changes -= 1) bytes[next(bytes.length)] = next(256)
    const file = next(10) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes
    const outcome = refusal(file, DEFAULT_WISH.password ?? '', now)
    seen[outcome] = (seen[outcome] ?? 0) + 1
  }
  return seen
}
