/** The process that opens a file: its limits of size, time and memory, and that only its answer comes out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openCertificateFile } from '../../../../server/company/certificates/open-file.ts'
import type { OpenLimits } from '../../../../server/company/certificates/open-file.ts'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { asAppError } from '../../../../server/domain/errors/to-app-error.ts'
import { keyOf, makeP12 } from '../../../support/files/certificates.ts'
import { keyBag, packP12 } from '../../../support/files/p12.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

const NOW = new Date('2026-07-01T10:00:00+02:00')
const PASSWORD = 'contraseña ñ€'

async function refusal(file: Uint8Array, password: string, limits: OpenLimits = {}): Promise<unknown> {
  try {
    await openCertificateFile(file, password, NOW, limits)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const why: unknown = error.details?.why
    return why === undefined ? error.code : `${error.code}: ${String(why)}`
  }
  return null
}

const PARSERS = new URL('../../../../server/platform/processes/parsers.ts', import.meta.url).href

/** Returns a process that runs `code` in place of opening files. */
function processOf(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'sello-parser-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'worker.mjs'),
    `import { answerJobs } from ${JSON.stringify(PARSERS)}\nanswerJobs('certificate', () => {${code}})`,
  )
  return pathToFileURL(join(folder, 'worker.mjs'))
}

describe('the process that opens a certificate file', () => {
  test('opens it and returns plain data', async () => {
    for (const format of swept(['modern', 'rc2'] as const, (each) => each === 'modern')) {
      const made = makeP12({ format })
      const opened = await openCertificateFile(made.p12, PASSWORD, NOW)
      expect(opened.chainPem).toBe(made.chainPem)
      expect(opened.key).toBeInstanceOf(Uint8Array)
      expect(opened.fingerprint).toHaveLength(32)
    }
  })

  longTest('rejects it with the code of the fault', async () => {
    const { p12 } = makeP12()
    expect(await refusal(p12, 'wrong')).toBe('certificate_password')
    expect(await refusal(Buffer.from('garbage'), PASSWORD)).toBe('certificate_invalid: unreadable')
    expect(await refusal(Buffer.alloc(100_001), PASSWORD)).toBe('certificate_invalid: too_large')
    expect(await refusal(makeP12({ iterations: 2 ** 31 - 1 }).p12, PASSWORD)).toBe(
      'certificate_invalid: too_slow',
    )
  })

  test('is stopped by the time limit, even if each of many keys is below the limit of rounds', async () => {
    // 20 keys of a million rounds each: far beyond the time limit.
    const bag = keyBag(keyOf('ec'), { iterations: 1_000_000 })
    const file = packP12({ sealed: [], open: Array.from({ length: 20 }, () => bag) }, { password: PASSWORD })
    expect(await refusal(file, PASSWORD, { timeoutMs: 100 })).toBe('certificate_invalid: too_slow')
  })

  test('rejects the file when it never ends, uses too much memory or ends without an answer', async () => {
    const { p12 } = makeP12()
    const hang = processOf('for (;;) {}')
    expect(await refusal(p12, PASSWORD, { workerUrl: hang, timeoutMs: 100 })).toBe(
      'certificate_invalid: too_slow',
    )
    const hoard = processOf('const all = []; for (;;) all.push(new Array(100000).fill(all.length))')
    expect(await refusal(p12, PASSWORD, { workerUrl: hoard })).toBe('certificate_invalid: too_large')
    const silent = processOf('process.exit(0)')
    expect(await refusal(p12, PASSWORD, { workerUrl: silent })).toBe('certificate_invalid: unreadable')
  })

  test('is reported as an internal error when it does not start, not as a fault of the file', async () => {
    const { p12 } = makeP12()
    const folder = mkdtempSync(join(tmpdir(), 'sello-parser-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'worker.mjs'), 'throw new TypeError("ours")')
    const workerUrl = pathToFileURL(join(folder, 'worker.mjs'))
    const thrown = await openCertificateFile(p12, PASSWORD, NOW, { workerUrl }).catch(
      (reason: unknown) => reason,
    )
    expect(asAppError(thrown).code).toBe('internal')
  })
})
