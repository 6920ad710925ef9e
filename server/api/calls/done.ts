import { element, fields, type Markup } from '../../base/xml/write.ts';

/** The answer of a call that has done what was asked, and has nothing to tell. */
export const done = (): Markup => element('Result', [fields({ Status: 'Ok' })]);
