/** The operations of the journey of an invoice. */
import { defineOperations, operation } from '../../context.ts'
import { invoiceJourneyContract, receivedJourneyContract } from './contract.ts'
import { invoiceJourney, receivedJourney } from './journey.ts'

export const journeyOperations = defineOperations([
  operation(invoiceJourneyContract, invoiceJourney),
  operation(receivedJourneyContract, receivedJourney),
])
