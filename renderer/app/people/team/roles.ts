/** Roles in words. */
import { formatList } from '../../../format.ts'
import { translate } from '../../../i18n.ts'
import type { Role } from '../../../../server/domain/people.ts'

/** Returns the roles of somebody as one text. */
export function rolesText({ roles, mayIssue }: { roles: readonly Role[]; mayIssue: boolean }): string {
  const named = roles.map((role) =>
    role === 'sales' && mayIssue
      ? `${translate('people.role.sales')} (${translate('people.issues')})`
      : translate(`people.role.${role}`),
  )
  return formatList(named)
}
