import { renderElement, renderFields, type Markup } from '../../base/xml/write.ts';

/** Renders the response to a call without a result. */
export const okResult = (): Markup => renderElement('Result', [renderFields({ Status: 'Ok' })]);
