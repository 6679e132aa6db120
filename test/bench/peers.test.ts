/** The peer of T3 is optional: a run without its packages says so, and how to get them, and measures the rest. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Workplace } from '../../bench/books.ts'
import { peerGroupOf } from '../../bench/scenarios/peers.ts'
import manifest from '../../bench/peers/typeorm/package.json' with { type: 'json' }
import product from '../../package.json' with { type: 'json' }

test('a peer that is not installed is left out with a word', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-peer-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const workplace = new Workplace(() => expect.unreachable())
  onTestFinished(() => workplace.close())
  const said: string[] = []
  const group = peerGroupOf(folder)
  await group.run(
    {
      workplace,
      rounds: 5,
      size: 10,
      full: false,
      bundle: '',
      say: (text) => void said.push(text),
      report: () => expect.unreachable(),
      note: () => {},
    },
    new Set(group.names),
  )
  expect(said).toEqual([expect.stringContaining('npm ci --prefix bench/peers/typeorm')])
})

test('the packages of the peer are pinned, and none of the product', () => {
  const packages = { ...manifest.dependencies, ...manifest.devDependencies }
  for (const version of Object.values(packages)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  const ours = Object.keys({ ...product.dependencies, ...product.devDependencies })
  expect(Object.keys(packages).filter((name) => ours.includes(name))).toEqual([])
})
