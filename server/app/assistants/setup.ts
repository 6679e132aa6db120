/** Setup data for an assistant on this computer, with the bridge if it can start programs. */
import { embedded } from '../../db/embedded/port.ts'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { getBundleContract, getSetupContract } from './contract.ts'
import type { UseCase } from '../../context.ts'
import { writeFileDurably } from '../../db/embedded/files/atomic-files.ts'
import { BRIDGE_FILE, BUNDLE_FILE, bridgeBytes, bundledTools, packBundle } from './bundle.ts'

const PLATFORMS: Partial<Record<NodeJS.Platform, 'windows' | 'mac'>> = { win32: 'windows', darwin: 'mac' }

/**
 * Copies the bridge to the data folder, where its path stays the same whatever happens to the program's files, and
 * where it finds `server.json`. Throws system errors.
 */
export function placeBridge(dataDir: string): void {
  const file = join(dataDir, BRIDGE_FILE)
  const bridge = Buffer.from(bridgeBytes())
  if (!existsSync(file) || !readFileSync(file).equals(bridge)) writeFileDurably(file, bridge.toString('utf8'))
}

export const getSetup: UseCase<typeof getSetupContract> = async ({ env }) => ({
  platform: PLATFORMS[process.platform] ?? 'linux',
  mcpUrl: env.address.mcpUrl,
  bridge: join(resolve(embedded(env.store).folder), BRIDGE_FILE),
})

export const getBundle: UseCase<typeof getBundleContract> = async ({ env }) => {
  const bytes = await packBundle({
    version: env.version,
    dataDir: resolve(embedded(env.store).folder),
    tools: bundledTools(await env.loadContracts()),
  })
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), fileName: BUNDLE_FILE }
}
