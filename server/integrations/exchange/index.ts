/** Public interface of the exchange of structured invoices. */
export { remindOfReports } from './said/deadlines.ts'
export { pruneExchangeConfirmations } from './said/confirm.ts'
export { exchangeStories } from './shown/story.ts'
export type { ExchangeStory } from './shown/story.ts'
export { EXCHANGE_CONTENTS, readBytes as readExchanged } from './state/contents.ts'
export { verifyExchange } from './state/verify.ts'
export { portFor } from './start.ts'
