/** The texts of the help in English. */
import type { TopicContent } from '../topics.ts'
import { invoicing } from './invoicing.ts'
import { money } from './money.ts'
import { registry } from './registry.ts'
import { safety } from './safety.ts'
import { start } from './start.ts'
import { taxes } from './taxes.ts'

const texts: TopicContent = { ...start, ...invoicing, ...registry, ...taxes, ...money, ...safety }
export default texts
