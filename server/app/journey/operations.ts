/** The operation of the journey of an invoice. */
import { defineOperations, operation } from '../../context.ts'
import { invoiceJourneyContract } from './contract.ts'
import { invoiceJourney } from './journey.ts'

export const journeyOperations = defineOperations([operation(invoiceJourneyContract, invoiceJourney)])
