/** Bundle (MCPB 0.3) that Claude Desktop installs by itself: the bridge, its icon, and its configuration. */
import { readFileSync } from 'node:fs'
import type { AnyContract } from '../../domain/contract/define-contract.ts'
import { zipOf } from '../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../domain/formats/zip-stream.ts'

export const BUNDLE_FILE = 'sello.mcpb'
export const BRIDGE_FILE = 'sello-bridge.mjs'
/** The oldest date a ZIP can store, so that the same content gives the same file. */
const WRITTEN_AT = new Date(1980, 0, 1)

/** Reads a file of the bridge's folder, next to this module or next to the bundled program. */
function fileOf(name: string): Uint8Array {
  return readFileSync(new URL(`./bridge/${name}`, import.meta.url))
}

export function bridgeBytes(): Uint8Array {
  return fileOf(BRIDGE_FILE)
}

interface BundleFacts {
  version: string
  /** Data folder of the bundle; null for the default one of the installing user. */
  dataDir: string | null
  tools: readonly { name: string; description: string }[]
}

/** Returns the tools of a table of contracts, as the manifest lists them. */
export function bundledTools(contracts: readonly AnyContract[]): BundleFacts['tools'] {
  return contracts.flatMap(({ tool, summary }) => (tool ? [{ name: tool, description: summary }] : []))
}

function manifestOf({ version, dataDir, tools }: BundleFacts): object {
  return {
    manifest_version: '0.3',
    name: 'sello',
    display_name: 'Sello',
    version,
    description:
      'Invoices of a Spanish company: look up, draft, check and ask to issue, in the Sello of this computer.',
    long_description:
      'Connects to the Sello that runs on this computer; nothing goes through a server elsewhere. Issuing in a live book always waits for your approval in the app. Make the key in Sello, on the page of assistants.',
    author: { name: 'Sello contributors' },
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: `server/${BRIDGE_FILE}`,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/server/${BRIDGE_FILE}`],
        env: {
          SVC_API_KEY: '${user_config.api_key}',
          ...(dataDir === null ? {} : { SELLO_DATA: dataDir }),
        },
      },
    },
    tools,
    user_config: {
      api_key: {
        type: 'string',
        title: 'Sello key',
        description: 'The key that Sello showed you once. It begins with svc_.',
        sensitive: true,
        required: true,
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.0.0' } },
  }
}

/** Returns the bundle as ZIP bytes. */
export async function packBundle(facts: BundleFacts): Promise<Buffer> {
  const entries: ZipEntry[] = [
    {
      name: 'manifest.json',
      bytes: Buffer.from(`${JSON.stringify(manifestOf(facts), null, 2)}\n`),
      compress: true,
    },
    { name: 'icon.png', bytes: fileOf('icon.png'), compress: false },
    { name: `server/${BRIDGE_FILE}`, bytes: bridgeBytes(), compress: true },
  ]
  const pieces: Uint8Array[] = []
  const inOrder = (async function* () {
    yield* entries
  })()
  for await (const piece of zipOf(inOrder, WRITTEN_AT)) pieces.push(piece)
  return Buffer.concat(pieces)
}
