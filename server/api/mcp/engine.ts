/** Both MCP SDKs over one service, loaded together at the first tool request. */
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import type { ContractFacts } from '../../domain/contract/define-contract.ts'
import { legacyServer, serveLegacy } from './legacy.ts'
import { createModern, modernServer } from './modern.ts'
import { READ_BY_ADDRESS } from './resources.ts'
import type { Era } from './resources.ts'
import { createService } from './service.ts'
import type { Call } from './service.ts'

type Classified = Parameters<typeof classifyInboundRequest>[0]
type ServiceOptions = Parameters<typeof createService>[0]
type Raw = Parameters<typeof serveLegacy>[1]

export interface Engine {
  /** Returns the rate-limit family of a message. */
  familyOf: ReturnType<typeof createService>['familyOf']
  /** Returns the protocol revision of a message. */
  eraOf(message: Classified): Era
  /** Answers one message in its revision, onto the raw response. */
  serveCall(call: Call, raw: Raw): Promise<void>
  close(): Promise<void>
}

export interface EngineOptions extends ServiceOptions {
  /** Called for a message that the newer SDK rejected before any tool ran. */
  onRejected: (error: Error) => void
}

const LEGACY_VERSIONS: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS)

/**
 * Returns the protocol revision of a message: messages of 2026 name it in their envelope; those that name none there,
 * and none or an older one in the header, belong to 2025. All others are left to the SDK, which checks the whole
 * message.
 */
export function eraOf(message: Classified): Era {
  const { body, protocolVersionHeader: version } = message
  const { method, params } = body as { method?: unknown; params?: { _meta?: unknown } | null }
  const meta = params?._meta
  const isNamed = typeof meta === 'object' && meta !== null && PROTOCOL_VERSION_META_KEY in meta
  if (isNamed && method !== 'initialize') return '2026'
  if (!isNamed && (version === undefined || LEGACY_VERSIONS.has(version))) return '2025'
  return classifyInboundRequest(message).kind === 'legacy' ? '2025' : '2026'
}

/** Returns true if an operation is available as a tool or a resource. */
export function isOffered({ name, tool }: ContractFacts): boolean {
  return tool !== undefined || READ_BY_ADDRESS.includes(name)
}

/** Creates the service of the available operations, in both revisions of the protocol. */
export function createEngine(options: EngineOptions): Engine {
  const service = createService(options)
  const modern = createModern((call) => modernServer(service, call), options.onRejected)
  return {
    familyOf: (method, params) => service.familyOf(method, params),
    eraOf,
    serveCall: (call, raw) =>
      call.era === '2025' ? serveLegacy(legacyServer(service, call), raw) : modern.serve(call, raw),
    close: () => modern.close(),
  }
}
