/** What the authority's codes mean for a person, and the one right next step. Facts: AEAT, error table of 18-08-2026. */

export interface CodeMeaning {
  /** Ours, for programs. */
  code: string
  fix: string
}

const MEANINGS: Record<string, CodeMeaning> = {
  '1110': { code: 'client_not_in_census', fix: "Check the customer's NIF and name against their tax card." },
  '1239': { code: 'client_not_in_census', fix: "Check the customer's NIF and name against their tax card." },
  '2000': { code: 'hash_wrong', fix: 'Run the chain check on the registry page.' },
  '2001': {
    code: 'client_not_identified',
    fix: 'Nothing to do: the customer was declared as not in the census.',
  },
  '2004': { code: 'sent_late', fix: 'Nothing to do: the record arrived later than it was made.' },
  '2005': { code: 'total_differs', fix: 'Check the total; a correction of the record may be needed.' },
  '2006': { code: 'tax_total_differs', fix: 'Check the VAT; a correction of the record may be needed.' },
  '3000': {
    code: 'already_registered',
    fix: 'Another record holds this number: find out which program sent it.',
  },
}

/** The meaning of a code; unknown ones keep the authority's own words and point to the record. */
export function meaningOf(authorityCode: string): CodeMeaning {
  return (
    MEANINGS[authorityCode] ?? {
      code: 'registry_rejected',
      fix: "Read the authority's message and correct what it names.",
    }
  )
}
