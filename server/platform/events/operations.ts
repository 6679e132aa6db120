/** The operations that read events. */
import { defineOperations, operation } from '../../context.ts'
import { listEventsContract, streamEventsContract } from './contract.ts'
import { listEvents } from './list.ts'
import { streamEvents } from './stream.ts'

export const eventOperations = defineOperations([
  operation(listEventsContract, listEvents),
  operation(streamEventsContract, streamEvents),
])
