/** Meaning of the services' codes for a person, in the themes that all registries share, and which record may follow. */
import type { NextAction } from '../../../contract.ts'
import type { CodeMeaning, Fate, Standing } from '../../../system.ts'

const THEMES: Readonly<Record<string, { action: NextAction; fix: string; codes: string }>> = {
  technical_failure: {
    action: 'wait',
    fix: 'Nothing to do: it was a failure on their side, and Sello tries again.',
    codes: '006 B4_1000004',
  },
  issuer_not_known: {
    action: 'resend',
    fix: "Compare the company's NIF and name with its tax card, correct them in the settings, and send again.",
    codes: 'N3_0000002 N3_0000010',
  },
  certificate_not_entitled: {
    action: 'certificate',
    fix: "Import the company's own certificate, its seal, or that of somebody entitled to act for it.",
    codes:
      '001 007 009 013 015 016 N3_0000001 N3_0000003 N3_0000004 N3_0000007 N3_0000008 N3_0000016 access_refused',
  },
  message_unfit: {
    action: 'call',
    fix: 'Send the code and the record to whoever looks after your Sello: the message itself was not accepted.',
    codes:
      '012 017 N3_0000005 N3_0000006 N3_0000009 N3_0000011 N3_0000012 N3_0000013 N3_0000014 N3_0000015 N3_0000017 B4_1000001 message_refused',
  },
  client_identification: {
    action: 'correct',
    fix: 'Correct how the customer is identified: number, kind of document and country.',
    codes: 'B4_2000013',
  },
  regime_or_exemption: {
    action: 'correct',
    fix: 'Correct the regime or the ground of exemption.',
    codes: 'B4_2000026',
  },
  total_differs: {
    action: 'correct',
    fix: 'Compare the totals; if the invoice itself is wrong, rectify it with another one.',
    codes: '011',
  },
  third_party: {
    action: 'call',
    fix: 'The data of who made the invoice or asked for the cancellation do not fit.',
    codes: '014',
  },
  record_unfit: {
    action: 'call',
    fix: 'Send the code and the record to whoever looks after your Sello: the record itself was not accepted.',
    codes: '002 003 004',
  },
  hash_differs: {
    action: 'call',
    fix: 'Check the chain on the registry page. It may be that an invoice before this one was refused.',
    codes: '008 010',
  },
  already_registered: {
    action: 'decide',
    fix: 'Another record holds this number: find out which program sent it, and decide.',
    codes: '005 B4_2000003',
  },
  already_cancelled: {
    action: 'none',
    fix: 'Nothing to do: the authority had it as annulled already.',
    codes: '019 B4_2000006',
  },
  not_registered: {
    action: 'correct',
    fix: 'The authority has no record of this invoice: send it again, corrected or as it is.',
    codes: '018',
  },
}

const BY_CODE = new Map(
  Object.entries(THEMES).flatMap(([theme, { codes }]) => codes.split(' ').map((code) => [code, theme])),
)
const OTHER: CodeMeaning = {
  code: 'other',
  action: 'call',
  fix: "Read the authority's message; ask its support with the code if it is not clear.",
}

/** Returns the meaning of a code; for an unknown one, the theme that refers to the authority's own text. */
export function meaningOf(authorityCode: string): CodeMeaning {
  const code = BY_CODE.get(authorityCode)
  const theme = code === undefined ? undefined : THEMES[code]
  return code === undefined || !theme ? OTHER : { code, action: theme.action, fix: theme.fix }
}

const UNSETTLED: readonly Fate['status'][] = ['pending', 'sending', 'unknown']
/** The invoice to cancel is not registered. */
const NOT_REGISTERED = '018'

/** Derives the state from the outcomes, oldest first. */
export function standingFrom(fates: readonly Fate[]): Standing {
  let registered: Standing['registered'] = 'none'
  let open = false
  let conflict = false
  for (const fate of fates) {
    open = UNSETTLED.includes(fate.status)
    if (open) continue
    if (fate.status !== 'rejected') {
      registered = fate.kind === 'registration' ? 'active' : 'cancelled'
      conflict = false
      continue
    }
    if (fate.heldState !== null) registered = fate.heldState
    if (fate.authorityCode === NOT_REGISTERED) registered = 'none'
    conflict = fate.conflict
  }
  const held = registered !== 'none'
  return {
    open,
    registered,
    conflict,
    registrationTurn: held ? 'correction' : fates.length === 0 ? 'first' : 'unregistered',
    cancellationTurn: held ? 'first' : 'unregistered',
  }
}
