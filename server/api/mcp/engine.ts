/** Both SDKs over one service, loaded together when the first tool is asked for. */
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
  /** What a message counts as. */
  familyOf: ReturnType<typeof createService>['familyOf']
  /** Which revision of the protocol a message speaks. */
  eraOf(message: Classified): Era
  /** Answers one message in its revision, onto the raw response. */
  serveCall(call: Call, raw: Raw): Promise<void>
  close(): Promise<void>
}

export interface EngineOptions extends ServiceOptions {
  /** A message the newer SDK refused before any tool was asked. */
  onRejected: (error: Error) => void
}

const LEGACY_VERSIONS: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS)

/**
 * Which revision of the protocol a message speaks: those of 2026 name it in their envelope, and what names none there and
 * none or an older one in its header is of 2025. What is neither is the SDK's to judge, which looks at all of a message.
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

/** Whether an operation is asked by tools or addresses. */
export function isOffered({ name, tool }: ContractFacts): boolean {
  return tool !== undefined || READ_BY_ADDRESS.includes(name)
}

/** The service of the operations that are offered, in both revisions of the protocol. */
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
