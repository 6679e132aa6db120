/** The operations of replies. The page itself is registered by documents/reply-page. */
import { defineOperations, operation } from '../../context.ts'
import { listRepliesContract, takeRepliesContract } from './contract.ts'
import { listReplies } from './list.ts'
import { takeReplies } from './take.ts'

export const replyOperations = defineOperations([
  operation(takeRepliesContract, takeReplies),
  operation(listRepliesContract, listReplies),
])
