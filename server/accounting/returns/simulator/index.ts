/**
 * The simulated filing services of the tax agency: the same paths, messages and forms of answers as the real ones, in
 * process (server.ts adds a socket). It trusts nothing of the sender: every file is decoded and checked again, with rules
 * written apart from the program's own.
 *
 * The real services' full specification was not at hand. Codes that begin with `S` and all texts are the simulator's; what
 * is not known of the real answers is said where it is made up.
 *
 * To provoke answers by data alone: a person with NIF 99999999R is unknown to its census (IDT10516). For other answers see
 * the fault switches in faults.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { page, refusedWith, stepRefused } from './answers.ts'
import type { Answered, SimulatedAnswer, SimulatedRequest } from './answers.ts'
import { answerDocument, DOCUMENT_PATH } from './document.ts'
import type { ReturnsFault, ReturnsFaultControl, ReturnsMessage } from './faults.ts'
import { listedCodes } from './findings.ts'
import { answerStep, stepOf } from './informative.ts'
import { fileReturn, validateReturn } from './presentation.ts'
import type { Services } from './presentation.ts'
import { answerQuery, queryRefused } from './query.ts'
import type { Power } from './registry.ts'
import type { DeclaredReturn, ReturnsState } from './state.ts'

export { createReturnsFaultControl } from './faults.ts'
export type { ReturnsFault, ReturnsFaultControl } from './faults.ts'
export type { SimulatedAnswer, SimulatedRequest } from './answers.ts'
export { memoryReturnsState } from './state.ts'
export type { DeclaredReturn, InformativeSending, MemoryReturnsState, ReturnsState } from './state.ts'

export interface ReturnsSimulatorOptions {
  state: ReturnsState
  now: () => Date
  faults?: ReturnsFaultControl
  /** Returns the code of a filed return (CSV), 16 characters A-Z0-9; by default derived from the return. */
  newCsv?: () => string
  /** Who may file for others, besides each for itself; read again for each message. */
  powers?: readonly Power[]
}

interface ReturnsSimulator {
  /** Takes a message and answers it. Never rejects because of the message: what is wrong with it is the answer. */
  handle(request: SimulatedRequest): Promise<SimulatedAnswer>
}

type Processed = { answer: Answered; filed?: DeclaredReturn | null }

interface Route {
  message: ReturnsMessage
  isOpen: boolean
  run: (
    request: SimulatedRequest & { callers: readonly string[] },
    services: Services,
    isShown: (declared: DeclaredReturn) => boolean,
  ) => Promise<Processed>
}

const FILE_PATH = '/wlpl/PFTW-PICW/PresBasicaDos'
const VALIDATE_PATH = '/wlpl/PFTW-PICW/ServValiDos'
const QUERY_PATH = '/wlpl/SCEJ-MANT/ConsultaExt'

function routeOf(path: string): Route | null {
  if (!URL.canParse(path, 'https://127.0.0.1')) return null
  const { pathname, searchParams } = new URL(path, 'https://127.0.0.1')
  const name = stepOf(pathname)
  if (name)
    return {
      message: 'informative',
      isOpen: false,
      run: (request, services) => answerStep(name, request, services),
    }
  switch (pathname) {
    case FILE_PATH:
      return { message: 'file', isOpen: false, run: fileReturn }
    case VALIDATE_PATH:
      return {
        message: 'validate',
        isOpen: true,
        run: async (request, services) => ({ answer: await validateReturn(request, services) }),
      }
    case QUERY_PATH:
      return {
        message: 'query',
        isOpen: false,
        run: async (request, services, isShown) => ({
          answer: await answerQuery(request, services, isShown),
        }),
      }
    case DOCUMENT_PATH:
      return {
        message: 'document',
        isOpen: true,
        run: async (request, { state }) => ({ answer: await answerDocument(request, searchParams, state) }),
      }
    default:
      return null
  }
}

/** Creates the simulated services over their state. Messages are processed one at a time. */
export function createReturnsSimulator(options: ReturnsSimulatorOptions): ReturnsSimulator {
  const { state, faults, newCsv, powers = [] } = options
  /** When a hidden return shows in queries, by its CSV; epoch milliseconds. */
  const hiddenUntil = new Map<string, number>()
  let tail: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = tail.then(work)
    // A failing store must not block the messages that wait.
    tail = turn.catch(() => undefined)
    return turn
  }

  async function run(route: Route, request: SimulatedRequest, fault: ReturnsFault | null): Promise<Answered> {
    const now = options.now()
    const hiddenMs = fault?.kind === 'hidden' ? fault.seconds * 1000 : 0
    const isShown = ({ csv, presentedAt }: DeclaredReturn): boolean =>
      now.getTime() >= (hiddenUntil.get(csv) ?? 0) && now.getTime() - presentedAt >= hiddenMs
    const certified = { ...request, callers: request.callers ?? [] }
    const { answer, filed } = await route.run(certified, { state, powers, now, newCsv }, isShown)
    if (filed && hiddenMs > 0) hiddenUntil.set(filed.csv, now.getTime() + hiddenMs)
    return answer
  }

  return {
    handle: async (request) => {
      const route = routeOf(request.path)
      if (!route) return page(404, 'No encontrado', 'No hay nada aquí.')
      // What the real services answer without a certificate is not known: a page of a gateway is likely.
      if (!route.isOpen && request.callers === null)
        return page(403, 'Acceso denegado', 'Este servicio exige un certificado electrónico.')
      const fault = faults?.take(route.message) ?? null
      if (fault?.kind === 'drop_request') return { kind: 'dropped' }
      if (fault?.kind === 'errors') return refusedByFault(route.message, fault.codes)
      const useless = uselessPage(fault)
      if (useless && !('processed' in fault! && fault.processed)) return useless
      const answer = await inTurn(() => run(route, request, fault))
      if (fault?.kind === 'drop_reply') return { kind: 'dropped' }
      if (useless) return useless
      if (fault?.kind === 'slow') await pause(fault.ms, undefined, { ref: false })
      return fault?.kind === 'half_body' ? halfOf(answer) : answer
    },
  }
}

/** Returns the page that a fault answers instead of the service, or null. */
function uselessPage(fault: ReturnsFault | null): Answered | null {
  switch (fault?.kind) {
    case 'error_500':
      return page(500, 'Error interno', 'Vuelva a intentarlo más tarde.')
    case 'html_200':
      return page(200, 'Servicio en mantenimiento', 'Vuelva a intentarlo más tarde.')
    case 'redirect_302':
      return page(302, 'Redirección', 'El servicio está en otra página.', { location: '/acceso.html' })
    default:
      return null
  }
}

function refusedByFault(message: ReturnsMessage, codes: readonly string[]): Answered {
  const errors = listedCodes(codes)
  switch (message) {
    case 'query':
      return queryRefused(errors[0] ?? '')
    case 'informative':
      return stepRefused(errors)
    case 'document':
      return page(404, 'No encontrado', errors.join('\n'))
    default:
      return refusedWith(errors)
  }
}

/** Returns half of the body; of an answer in headers, half of the headers. */
function halfOf(answer: Answered): Answered {
  const { headers, body } = answer
  if (body.length > 0) return { ...answer, body: body.subarray(0, body.length >> 1) }
  const names = Object.entries(headers)
  return { ...answer, headers: Object.fromEntries(names.slice(0, (names.length + 1) >> 1)) }
}
