/** Exports of the reply page: the file with which a customer answers an invoice. */
export { makeReplyPage, replyPageName } from './make.ts'
