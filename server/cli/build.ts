/**
 * Commands about the program itself: its version and build, and the check of its files. They load nothing of the server,
 * so that they also work if a file of it is damaged.
 */
import manifest from '../../package.json' with { type: 'json' }
import { buildFolder, RUNNING_BUILD, verifyBuild } from '../app/build/index.ts'
import { AppError } from '../domain/errors/app-error.ts'
import { printOnStdout } from './shared.ts'
import type { Command } from './shared.ts'

/** Faults that people are shown; the line for programs lists all. */
const FAULTS_SHOWN = 10

const version: Command = {
  usage: 'version',
  about: 'Show the version of Sello, and the hash of its build.',
  options: {},
  async run(_values, _settings, io) {
    const build = RUNNING_BUILD
    return printOnStdout(
      io,
      `sello ${manifest.version}\nbuild ${build ?? 'none: Sello runs from its sources'}`,
      { version: manifest.version, build },
    )
  },
}

const verifyFiles: Command = {
  usage: 'verify-build',
  about:
    'Compare the files of this Sello with the lists that its build and its package wrote (SHA256SUMS). Exit code 1 if a file differs, is missing, or is in no list.',
  options: {},
  async run(_values, _settings, io) {
    const folder = buildFolder()
    if (folder === null) throw new AppError('not_a_build')
    const { build, packaged } = await verifyBuild(folder)
    const lists = packaged ? [build, packaged] : [build]
    for (const { folder: of, digest, files, leftOut, faults } of lists) {
      const parts = leftOut > 0 ? ` (${leftOut} of an office, not in this package)` : ''
      io.say(`${faults.length === 0 ? 'ok    ' : 'WRONG '} ${of}: ${files} files${parts}, list ${digest}`)
      for (const { path, why } of faults.slice(0, FAULTS_SHOWN)) io.say(`  ${why}: ${path}`)
      if (faults.length > FAULTS_SHOWN) io.say(`  and ${faults.length - FAULTS_SHOWN} more`)
    }
    const ok = lists.every(({ faults }) => faults.length === 0)
    return { answer: { ok, build, package: packaged }, exitCode: ok ? 0 : 1 }
  },
}

export const buildCommands = { version, 'verify-build': verifyFiles } as const
