import { element, fields, type Markup } from '../../base/xml/write.ts';

/** The answer of a call without a result. */
export const okResult = (): Markup => element('Result', [fields({ Status: 'Ok' })]);
