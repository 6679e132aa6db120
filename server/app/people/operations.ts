/** The operations of the people of an office. */
import { defineOperations, operation } from '../../context.ts'
import * as contract from './contract.ts'
import * as own from './own.ts'
import * as secondPerson from './second-person/use-cases.ts'
import * as presenceContract from './presence/contract.ts'
import * as presence from './presence/presence.ts'
import * as team from './team.ts'

export const peopleOperations = defineOperations([
  operation(contract.meContract, own.me),
  operation(contract.changeNameContract, own.changeName),
  operation(contract.sessionsContract, own.listSessions),
  operation(contract.endSessionContract, own.endSession),
  operation(contract.endOtherSessionsContract, own.endOtherSessions),
  operation(contract.credentialsContract, own.credentials),
  operation(contract.addPasskeyContract, own.addPasskey),
  operation(contract.finishPasskeyContract, own.finishPasskey),
  operation(contract.removePasskeyContract, own.removePasskey),
  operation(contract.setPasswordContract, own.setPassword),
  operation(contract.finishPasswordContract, own.finishPassword),
  operation(contract.removePasswordContract, own.removePassword),
  operation(contract.newCodesContract, own.newCodes),
  operation(contract.acceptInvitationContract, own.acceptInvitation),
  operation(contract.actionsContract, own.actions),
  operation(contract.refuseRecoveryContract, own.refuseOwnRecovery),
  operation(contract.membersContract, team.listMembers),
  operation(contract.invitationsContract, team.listInvitations),
  operation(contract.inviteContract, team.invite),
  operation(contract.withdrawInvitationContract, team.withdrawInvitation),
  operation(contract.changeRolesContract, team.changeRoles),
  operation(contract.removeMemberContract, team.removeMember),
  operation(contract.askRecoveryContract, team.askRecovery),
  operation(contract.confirmRecoveryContract, team.confirmRecovery),
  operation(contract.recoveryLinkContract, team.recoveryLink),
  operation(contract.secondPersonRulesContract, secondPerson.getRules),
  operation(contract.setSecondPersonRulesContract, secondPerson.setRules),
  operation(contract.requestsContract, secondPerson.requests),
  operation(contract.decideRequestContract, secondPerson.decide),
  operation(presenceContract.listPresenceContract, presence.listPresence),
  operation(presenceContract.editPresenceContract, presence.editPresence),
  operation(presenceContract.leavePresenceContract, presence.leavePresence),
  operation(presenceContract.takeOverContract, presence.takeOver),
])
